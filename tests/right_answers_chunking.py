"""Right answers to the exercises of chapter 01, each written as another reader would write it.

None of them imports the reference: a check that fails one of them punishes a right answer.
"""

import math
import re
from collections import deque

import numpy as np

ABBREVIATIONS = ("M.", "Dr.", "art.", "fig.", "p.", "cf.", "etc.", "e.g.", "i.e.")


def refuse_windows(size, overlap):
    if size < 1 or overlap < 0 or overlap >= size:
        raise ValueError("size and overlap")


def words_by_while(text, size=40, overlap=10):
    refuse_windows(size, overlap)
    words = text.split()
    chunks = []
    start = 0
    while start < len(words):
        chunks.append(" ".join(words[start : start + size]))
        if start + size >= len(words):
            break
        start += size - overlap
    return chunks


def words_by_array(text, size=40, overlap=10):
    refuse_windows(size, overlap)
    words = np.array(text.split(), dtype=object)
    if words.size == 0:
        return []
    starts = np.arange(0, max(len(words) - overlap, 1), size - overlap)
    return np.array([" ".join(words[start : start + size]) for start in starts])


def words_by_generator(text, size=40, overlap=10):
    refuse_windows(size, overlap)
    window, new = [], 0
    for word in text.split():
        if len(window) == size:
            yield " ".join(window)
            window, new = window[size - overlap :], 0
        window.append(word)
        new += 1
    if new:
        yield " ".join(window)


def count_by_ceil(n_tokens, size, overlap):
    refuse_windows(size, overlap)
    if n_tokens < 0:
        raise ValueError("n_tokens")
    if n_tokens == 0:
        return 0
    return 1 + max(0, math.ceil((n_tokens - size) / (size - overlap)))


def count_by_steps(n_tokens, size, overlap):
    refuse_windows(size, overlap)
    if n_tokens < 0:
        raise ValueError("n_tokens")
    count, end = 0, 0
    while end < n_tokens:
        end = size if count == 0 else end + size - overlap
        count += 1
    return count


def count_by_numpy(n_tokens, size, overlap):
    refuse_windows(size, overlap)
    if n_tokens < 0:
        raise ValueError("n_tokens")
    starts = np.ceil(np.divide(n_tokens - overlap, size - overlap))
    return np.maximum(starts, 1) if n_tokens else np.float64(0)


def sentences_by_glue(text):
    found = []
    for piece in re.split(r"(?<=[.!?…])\s+", text.strip()):
        if found and found[-1].split()[-1] in ABBREVIATIONS:
            found[-1] = found[-1] + " " + piece
        else:
            found.append(piece)
    return [sentence for sentence in found if sentence]


def sentences_by_words(text):
    sentences, current = [], []
    for word in text.split():
        current.append(word)
        if word[-1] in ".!?…" and word not in ABBREVIATIONS:
            sentences.append(current)
            current = []
    return sentences + [current] if current else sentences


def refuse_sentences(max_words, overlap_sentences):
    if max_words <= 0:
        raise ValueError("max_words")
    if overlap_sentences < 0:
        raise ValueError("overlap_sentences")


def sentence_chunks_by_indices(text, max_words=30, overlap_sentences=1):
    refuse_sentences(max_words, overlap_sentences)
    sentences = sentences_by_glue(text)
    lengths = [len(sentence.split()) for sentence in sentences]
    chunks, start, end = [], 0, 0
    while end < len(sentences):
        end += 1
        while end < len(sentences) and sum(lengths[start : end + 1]) <= max_words:
            end += 1
        chunks.append(" ".join(sentences[start:end]))
        start = max(start, end - overlap_sentences)
        while start < end < len(sentences) and sum(lengths[start : end + 1]) > max_words:
            start += 1
    return chunks


def sentence_chunks_by_deque(text, max_words=30, overlap_sentences=1):
    refuse_sentences(max_words, overlap_sentences)
    chunks, window = [], deque()
    for words in sentences_by_words(text):
        if window and sum(map(len, window)) + len(words) > max_words:
            chunks.append([word for sentence in window for word in sentence])
            while len(window) > overlap_sentences:
                window.popleft()
            while window and sum(map(len, window)) + len(words) > max_words:
                window.popleft()
        window.append(words)
    if window:
        chunks.append([word for sentence in window for word in sentence])
    return (" ".join(words) for words in chunks)


def sentence_chunks_by_cumsum(text, max_words=30, overlap_sentences=1):
    refuse_sentences(max_words, overlap_sentences)
    sentences = sentences_by_words(text)
    ends = np.concatenate([[0], np.cumsum([len(words) for words in sentences], dtype=int)])
    chunks, first, last = [], 0, 0
    while last < len(sentences):
        fitting = int(np.searchsorted(ends, ends[first] + max_words, side="right")) - 1
        last = max(fitting, last + 1)
        chunks.append(" ".join(word for words in sentences[first:last] for word in words))
        if last < len(sentences):
            room = int(np.searchsorted(ends, ends[last + 1] - max_words, side="left"))
            first = min(last, max(first, last - overlap_sentences, room))
    return tuple(chunks)


def refuse_recursive(max_words, separators):
    if max_words < 1:
        raise ValueError("max_words")
    if isinstance(separators, str):
        raise ValueError("separators")


def recursive_by_lists(text, max_words, separators=("\n\n", "\n", ". ", " ")):
    refuse_recursive(max_words, separators)
    words = text.split()
    if not words:
        return []
    if len(words) <= max_words:
        return [text]
    if len(separators) == 0:
        return [" ".join(words[i : i + max_words]) for i in range(0, len(words), max_words)]
    groups = [[]]
    parts = text.split(separators[0])
    for i, part in enumerate(parts):
        piece = part if i == len(parts) - 1 else part + separators[0]
        if len("".join([*groups[-1], piece]).split()) > max_words:
            groups.append([])
        groups[-1].append(piece)
    return [chunk for group in groups for chunk in recursive_by_lists("".join(group), max_words, separators[1:])]


def recursive_by_stack(text, max_words, separators=("\n\n", "\n", ". ", " ")):
    refuse_recursive(max_words, separators)
    chunks, todo = [], [(text, 0)]
    while todo:
        piece, level = todo.pop()
        words = piece.split()
        if len(words) <= max_words:
            chunks += [piece.strip()] if words else []
        elif level == len(separators):
            chunks += [" ".join(words[i : i + max_words]) for i in range(0, len(words), max_words)]
        else:
            pattern = f"(?<={re.escape(separators[level])})"
            groups, size = [""], 0
            for part in re.split(pattern, piece):
                n = len(part.split())
                if size + n > max_words:
                    groups, size = [*groups, ""], 0
                groups[-1] += part
                size += n
            todo += [(group, level + 1) for group in reversed(groups)]
    return chunks


def recursive_by_arrays(text, max_words, separators=("\n\n", "\n", ". ", " ")):
    refuse_recursive(max_words, separators)

    def cut(piece, finer):
        n = len(piece.split())
        if n <= max_words:
            return [" ".join(piece.split())] * (n > 0)
        if not finer:
            return [" ".join(row) for row in np.array_split(piece.split(), range(max_words, n, max_words))]
        parts = piece.split(finer[0])
        parts[:-1] = [part + finer[0] for part in parts[:-1]]
        lengths = np.array([len(part.split()) for part in parts])
        result, first = [], 0
        while first < len(parts):
            fits = int((np.cumsum(lengths[first:]) <= max_words).sum())
            last = first + max(fits, 1)
            result += cut("".join(parts[first:last]), list(finer)[1:])
            first = last
        return result

    return cut(text, list(separators))


def headings_by_stack(markdown):
    stack, chunks, in_code = [], [{"path": [], "text": ""}], False
    for line in markdown.split("\n"):
        if line.startswith("```"):
            in_code = not in_code
        marks = len(line) - len(line.lstrip("#"))
        if not in_code and 1 <= marks <= 6 and line[marks : marks + 1] in (" ", "\t"):
            while stack and stack[-1][0] >= marks:
                stack.pop()
            stack.append((marks, line[marks:].strip()))
            chunks.append({"path": [title for _, title in stack], "text": ""})
        else:
            chunks[-1]["text"] += line + "\n"
    for chunk in chunks:
        chunk["text"] = chunk["text"].strip()
    return chunks if chunks[0]["text"] else chunks[1:]


def headings_by_table(markdown):
    titles, lines, chunks, in_code = {}, [], [], False

    def close():
        text = "\n".join(lines).strip()
        if titles or text:
            chunks.append({"path": tuple(titles[level] for level in sorted(titles)), "text": text})
        lines.clear()

    for line in markdown.splitlines():
        in_code ^= line.strip().startswith("```")
        found = re.match(r"(#{1,6})\s+(\S.*)", line)
        if found and not in_code:
            close()
            level = len(found.group(1))
            titles = {above: title for above, title in titles.items() if above < level}
            titles[level] = found.group(2).strip()
        else:
            lines.append(line)
    close()
    return chunks


def headings_by_positions(markdown):
    lines = markdown.splitlines()
    code = np.cumsum([line.startswith("```") for line in lines]) % 2 == 1 if lines else np.array([], dtype=bool)
    matches = [re.match(r"^(#{1,6})[ \t]+(.+)$", line) for line in lines]
    heads = [i for i, match in enumerate(matches) if match and not code[i]]
    found = []
    for place, (start, end) in enumerate(zip([-1, *heads], [*heads, len(lines)], strict=True)):
        path, limit = [], 7
        for i in reversed(heads[:place]):
            if len(matches[i][1]) < limit:
                limit = len(matches[i][1])
                path.insert(0, matches[i][2].strip())
        text = "\n".join(lines[start + 1 : end]).strip("\n ")
        if path or text:
            found.append(dict(path=path, text=text))
    return found


def refuse_family(child_size, parent_size):
    if not 1 <= child_size <= parent_size:
        raise ValueError("child_size")


def parent_child_by_slices(text, child_size, parent_size):
    refuse_family(child_size, parent_size)
    words, pairs = text.split(), []
    for number, start in enumerate(range(0, len(words), parent_size)):
        parent = words[start : start + parent_size]
        for place in range(0, len(parent), child_size):
            pairs.append({"child": " ".join(parent[place : place + child_size]), "parent": number})
    return pairs


def parent_child_by_words(text, child_size, parent_size):
    refuse_family(child_size, parent_size)
    families = {}
    for place, word in enumerate(text.split()):
        parent, inside = divmod(place, parent_size)
        families.setdefault((parent, inside // child_size), []).append(word)
    for (parent, _), words in families.items():
        yield {"parent": parent, "child": " ".join(words)}


def parent_child_by_arrays(text, child_size, parent_size):
    refuse_family(child_size, parent_size)
    words = text.split()
    places = np.arange(len(words))
    begins = np.flatnonzero((places % parent_size) % child_size == 0)
    ends = np.append(begins[1:], len(words))
    return tuple(
        {"child": " ".join(words[begin:end]), "parent": begin // parent_size}
        for begin, end in zip(begins, ends, strict=False)
    )


def contextual_by_filter(chunk, title, path):
    if isinstance(path, str):
        raise ValueError("path")
    places = list(filter(None, [title] + list(path)))
    if not places:
        return chunk
    prefix = " > ".join(places) + "\n\n"
    return prefix + chunk.removeprefix(prefix)


def contextual_by_loop(chunk, title, path):
    if not isinstance(path, (list, tuple)):
        raise ValueError("path must be a list")
    head = title
    for place in path:
        if place != "":
            head = place if head == "" else f"{head} > {place}"
    if head == "" or chunk[: len(head) + 2] == f"{head}\n\n":
        return chunk
    return f"{head}\n\n{chunk}"


def contextual_by_array(chunk, title, path):
    if type(path) is str:
        raise ValueError("path is text")
    places = np.array([title, *path], dtype=object)
    head = " > ".join(places[places != ""])
    start = np.char.add(head, "\n\n").item() if head else ""
    return np.str_(chunk if chunk.startswith(start) else start + chunk)


def dips_by_padding(similarities, threshold):
    padded = [math.inf, *similarities, math.inf]
    return [
        i - 1
        for i in range(1, len(padded) - 1)
        if padded[i] < threshold and padded[i] <= min(padded[i - 1], padded[i + 1])
    ]


def dips_by_arrays(similarities, threshold):
    values = np.asarray(similarities, dtype=float)
    before = np.append(np.inf, values[:-1])
    after = np.append(values[1:], np.inf)
    return np.flatnonzero((values < threshold) & (values <= before) & (values <= after))


def dips_by_loop(similarities, threshold):
    n = len(similarities)
    for i in range(n):
        if similarities[i] >= threshold:
            continue
        if i > 0 and similarities[i - 1] < similarities[i]:
            continue
        if i < n - 1 and similarities[i + 1] < similarities[i]:
            continue
        yield i


RIGHT_ANSWERS = {
    "chunking.words": [words_by_while, words_by_array, words_by_generator],
    "chunking.count": [count_by_ceil, count_by_steps, count_by_numpy],
    "chunking.sentences": [sentence_chunks_by_indices, sentence_chunks_by_deque, sentence_chunks_by_cumsum],
    "chunking.recursive": [recursive_by_lists, recursive_by_stack, recursive_by_arrays],
    "chunking.headings": [headings_by_stack, headings_by_table, headings_by_positions],
    "chunking.parent_child": [parent_child_by_slices, parent_child_by_words, parent_child_by_arrays],
    "chunking.contextual": [contextual_by_filter, contextual_by_loop, contextual_by_array],
    "chunking.semantic": [dips_by_padding, dips_by_arrays, dips_by_loop],
}
