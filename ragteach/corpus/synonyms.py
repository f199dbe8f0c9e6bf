"""Words that people use around R2 instead of those of its technical documents, as the glossary has them.

Each maps to the word of the technical documents; so do plurals, since nothing else tells that "batteries" are about
a battery. Words are single tokens, as `ragteach.retrieval.text.tokenize` makes them.
"""

_GROUPS = {
    "fr": {
        "batterie": "batteries accu accus accumulateur accumulateurs pack packs",
        "entraxe": "voie écartement",
        "firmware": "micrologiciel embarqué",
        "fusible": "fusibles circuit",
        "gonflée": "gonflé gonflées gonflés bombé bombée",
        "imu": "centrale inertielle",
        "lidar": "lidars télémètre scanner",
        "pneu": "pneus gomme gommes bandage bandages",
        "roue": "roues moyeu moyeux",
        "surchauffe": "échauffement chauffe chauffé chauffer",
        "vis": "boulon boulons",
        "vitre": "glace",
    },
    "en": {
        "base": "track width",
        "battery": "batteries accumulator accumulators pack packs",
        "firmware": "embedded",
        "fuse": "fuses breaker",
        "imu": "inertial unit",
        "lidar": "lidars scanner finder",
        "overheating": "hot",
        "range": "reach",
        "screws": "screw bolt bolts",
        "swollen": "puffed bulging",
        "tyres": "tyre rubber rubbers",
        "wheel": "wheels hub hubs",
        "window": "glass",
    },
}

SYNONYMS = {
    lang: {synonym: word for word, synonyms in groups.items() for synonym in synonyms.split()}
    for lang, groups in _GROUPS.items()
}
