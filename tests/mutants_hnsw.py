"""Mutants of chapter 08's references that do nothing wrong that an exercise asks about: see mutants.py."""

UNUSED = "there is always one entry"
EARLIER = "an exercise of its own asks for this function, and its check tests it"
TIES = "of two nodes at equal distance either may come first"
FREE = "how many links a new node chooses, from m to the layer's bound, is open"
TREE = (
    "which links the tree of anchors saves from pruning is the reference's own way; others prune by the heuristic alone"
)
PATH = "it changes what the search measures on its way, not what it finds with enough of ef_construction"
MORE = "it keeps one result more than ef while it searches, and finds at least as much"

NODES = "len(nodes) > 0 -> len(nodes) >= 0 in: require(len(nodes) > 0, f'{name} must name at least one node.')"
STAY = (
    "points @ points.T <= to_base[:, None] / 2 -> points @ points.T < to_base[:, None] / 2 in: "
    "stay = points @ points.T <= to_base[:, None] / 2"
)
SATURATED = "in: free = (other for other in along_tree(layer, selected) if len(anchored(layer, other)) < m_max)"
ANCHORED = "in: return [other for i, other in enumerate(layer[node]) if i == 0 or layer.get(other, [])[:1] == [node]]"
CHILD = "layer.get(other, [])[:1]"
KNOWN = "isinstance(node, int | np.integer) and 0 <= node < len(vectors)"

EQUIVALENT = {
    "hnsw.greedy": {NODES: UNUSED},
    "hnsw.connect": {STAY: EARLIER},
    "hnsw.insert": {
        STAY: EARLIER,
        "1 -> 2 in: for layer in reversed(layers[level + 1:]):": PATH,
        "True -> False in: seen[entry] = True": PATH,
        "(m + m_max) // 2 -> (m + m_max) / 2 in: "
        "selected = select(measure, vectors, node, found, (m + m_max) // 2)": FREE,
        "2 -> 1 in: selected = select(measure, vectors, node, found, (m + m_max) // 2)": FREE,
        "len(selected) < m -> len(selected) <= m in: "
        "while len(ids) and len(selected) < m and left[(nearest := left.argmax())]:": FREE,
        f"len(anchored(layer, other)) < m_max -> len(anchored(layer, other)) <= m_max {SATURATED}": TREE,
        f"len(anchored(layer, other)) < m_max -> len(anchored(layer, other)) > m_max {SATURATED}": TREE,
        "other == anchor -> other != anchor in: kept = anchored(layer, other) + [node] * (other == anchor)": TREE,
        f"i == 0 or {CHILD} == [node] -> i == 0 and {CHILD} == [node] {ANCHORED}": TREE,
        f"i == 0 -> i != 0 {ANCHORED}": TREE,
        f"0 -> 1 {ANCHORED}": TREE,
        f"{CHILD} == [node] -> {CHILD} != [node] {ANCHORED}": TREE,
        f"1 -> 2 {ANCHORED}": TREE,
    },
    "hnsw.search": {
        NODES: UNUSED,
        f"{KNOWN} -> isinstance(node, int | np.integer) or 0 <= node < len(vectors) in: known = {KNOWN}": EARLIER,
        "nearest >= distance -> nearest > distance in: if nearest >= distance:": EARLIER,
        "distance < worst -> distance <= worst in: if distance < worst:": TIES,
        "len(found) < ef -> len(found) <= ef in: "
        "(heappush if len(found) < ef else heapreplace)(found, (-distance, -node))": MORE,
    },
}
