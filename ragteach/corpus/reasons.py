"""Why a folder or a file could not be read, in one sentence that says what to do about it where one can."""

SENTENCES = {
    "no folder": {
        "fr": "Le dossier {folder} n’existe pas.",
        "en": "There is no folder {folder}.",
    },
    "not a folder": {
        "fr": "{folder} est un fichier : donnez le dossier qui le contient.",
        "en": "{folder} is a file: give the folder that it is in.",
    },
    "empty folder": {
        "fr": "Le dossier {folder} est vide.",
        "en": "The folder {folder} is empty.",
    },
    "nothing readable": {
        "fr": "Aucun document du dossier {folder} n’a pu être lu ; {n} laissé(s) de côté, à commencer par {name} : "
        "{sentence}",
        "en": "No document of the folder {folder} could be read; {n} left out, the first of them {name}: {sentence}",
    },
    "closed": {
        "fr": "Vous n’avez pas le droit de le lire, ou le disque ne répond pas.",
        "en": "You are not allowed to read it, or the disk does not answer.",
    },
    "hidden": {
        "fr": "Son nom commence par un point : il est caché.",
        "en": "Its name begins with a point: it is hidden.",
    },
    "link": {
        "fr": "C’est un lien vers un autre dossier, qui n’est pas suivi.",
        "en": "It is a link to another folder, which is not followed.",
    },
    "no file": {
        "fr": "Ce n’est pas un fichier ordinaire, ou c’est un lien rompu.",
        "en": "It is not an ordinary file, or it is a broken link.",
    },
    "format": {
        "fr": "Seuls les fichiers .md, .txt, .html et .pdf sont lus.",
        "en": "Only .md, .txt, .html and .pdf files are read.",
    },
    "encoding": {
        "fr": "Ce n’est pas du texte dans un codage connu : enregistrez-le en UTF-8.",
        "en": "It is not text in a known encoding: save it as UTF-8.",
    },
    "no text": {
        "fr": "Il ne contient aucun texte.",
        "en": "It holds no text.",
    },
    "encrypted": {
        "fr": "Ce PDF est protégé par un mot de passe : enregistrez-en une copie sans protection.",
        "en": "This PDF is protected by a password: save a copy without one.",
    },
    "broken pdf": {
        "fr": "Ce PDF est abîmé, ou n’en est pas un.",
        "en": "This PDF is damaged, or is none.",
    },
    "scanned": {
        "fr": "Ce PDF ne contient aucun texte, sans doute parce qu’il a été numérisé : passez-le d’abord par un "
        "logiciel de reconnaissance de caractères (OCR).",
        "en": "This PDF holds no text, probably because it was scanned: send it through a program of character "
        "recognition (OCR) first.",
    },
    "blank pages": {
        "fr": "Ce PDF a été lu, sauf {n_blank} page(s) sur {n} sans aucun texte, peut-être des images.",
        "en": "This PDF was read, except for {n_blank} of its {n} page(s), which hold no text: images, perhaps.",
    },
}


def say(reason: str, lang: str, **details: object) -> str:
    """Give the sentence of a reason."""
    return SENTENCES[reason][lang].format(**details)
