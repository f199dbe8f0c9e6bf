"""The sentences about isolation, French and English side by side."""

from collections.abc import Mapping, Sequence

from ragteach.checking.exercise import Text

LAYERS: dict[str, Text] = {
    "namespaces": {
        "fr": "pas de réseau, processus à part et arrêtés avec le rendu",
        "en": "no network, processes out of sight and ended with the submission",
    },
    "limits": {
        "fr": "limites de mémoire, de processeur, de processus et de fichiers",
        "en": "limits on memory, processor, processes and files",
    },
    "files": {
        "fr": "aucun fichier lisible hors de Python, aucun modifiable hors d’un dossier temporaire (Landlock)",
        "en": "no file readable but Python’s, none writable but in a temporary folder (Landlock)",
    },
    "rights": {
        "fr": "aucun droit d’administration (espace de noms)",
        "en": "no administrator’s rights (user namespace)",
    },
    "user": {
        "fr": "aucun droit sur vos fichiers ni sur vos processus (autre utilisateur)",
        "en": "no rights over your files and processes (another user)",
    },
    "calls": {
        "fr": "appels système dangereux et lancement de programmes refusés (seccomp)",
        "en": "dangerous system calls and other programs refused (seccomp)",
    },
}
"""What each layer of ragteach.grading.sandbox gives; "rights" is what becomes of "user" where root does not grade."""

PROCESS_ONLY: Text = {
    "fr": "Bac à sable : un processus séparé par rendu et des limites de temps ; ni les fichiers ni le réseau ne lui "
    "sont fermés. N’y corrigez que des carnets auxquels vous faites confiance, ou corrigez sous Linux.",
    "en": "Sandbox: a separate process for each submission, and time limits; neither files nor the network are closed "
    "to it. Grade only notebooks that you trust this way, or grade on Linux.",
}
NEEDS_LINUX: Text = {
    "fr": "--sandbox strict demande Linux : ce système n’a que le bac à sable appelé process.",
    "en": "--sandbox strict needs Linux: this system has only the sandbox called process.",
}


def no_pool(why: str) -> Text:
    """Say that the grader cannot share out its work."""
    return {
        "fr": f"le correcteur ne peut pas lancer ses processus ({why}) : il leur faut des sémaphores, que Linux "
        "range dans /dev/shm. Vérifiez que ce dossier existe, qu’on peut y écrire et qu’il y reste de la place (dans "
        "un conteneur, montez-y un tmpfs).",
        "en": f"the grader cannot start its processes ({why}): they need semaphores, which Linux keeps in /dev/shm. "
        "Check that this folder is there, can be written to and has room left (in a container, mount a tmpfs on it).",
    }


def no_worker(why: str) -> Text:
    """Say that no submission can be run."""
    return {
        "fr": f"Aucun rendu ne peut être exécuté ici : {why}.",
        "en": f"No submission can be run here: {why}.",
    }


def report(enforced: Sequence[str], missing: Mapping[str, str], root: bool) -> Text:
    """Say which layers hold a submission, and which do not and why; `root` tells whether root grades."""
    nouns = LAYERS if root else {**LAYERS, "user": LAYERS["rights"]}
    texts = {}
    for lang, head, none, rest in (
        ("fr", "Bac à sable : ", "rien", " Non garanti ici : "),
        ("en", "Sandbox: ", "nothing", " Not ensured here: "),
    ):
        text = head + ("; ".join(nouns[layer][lang] for layer in enforced) or none) + "."
        if missing:
            text += rest + "; ".join(f"{nouns[layer][lang]} ({reason})" for layer, reason in missing.items()) + "."
        texts[lang] = text.replace(";", "\u202f;") if lang == "fr" else text
    return texts


def not_strict(missing: Mapping[str, str]) -> Text:
    """Say which layers a strict sandbox lacks."""
    layers = "; ".join(f"{layer} ({reason})" for layer, reason in missing.items())
    return {
        "fr": f"--sandbox strict est impossible sur ce système, qui refuse ces couches : {layers}.",
        "en": f"--sandbox strict cannot be had on this system, which refuses these layers: {layers}.",
    }
