"""The sentences of the report on a class, French and English side by side."""

from ragteach.checking.exercise import Text

REPORT: dict[str, Text] = {
    "title": {"fr": "Correction d’une classe", "en": "Grading of a class"},
    "students": {"fr": "Rendus", "en": "Submissions"},
    "mean": {"fr": "Moyenne", "en": "Mean"},
    "median": {"fr": "Médiane", "en": "Median"},
    "attention": {"fr": "À regarder de plus près", "en": "Needs a look"},
    "status": {"fr": "État", "en": "Status"},
    "submission": {"fr": "Rendu", "en": "Submission"},
    "why": {"fr": "Pourquoi", "en": "Why"},
    "nothing": {"fr": "Rien : tous les rendus ont été corrigés sans incident.", "en": "Nothing: all went smoothly."},
    "chapter": {"fr": "Chapitre", "en": "Chapter"},
    "distribution": {"fr": "Répartition des points", "en": "Distribution of points"},
    "points": {"fr": "Points", "en": "Points"},
    "count": {"fr": "Nombre", "en": "Number"},
    "map": {"fr": "Exercices par rendu", "en": "Exercises by submission"},
    "success": {"fr": "Réussite", "en": "Success rate"},
    "legend": {"fr": "Lecture du tableau", "en": "How to read it"},
    "misconceptions": {"fr": "Erreurs reconnues", "en": "Recognised mistakes"},
    "no_misconception": {"fr": "Aucune erreur connue n’a été reconnue.", "en": "No known mistake was recognised."},
    "exercise": {"fr": "Exercice", "en": "Exercise"},
    "mistake": {"fr": "Erreur", "en": "Mistake"},
    "example": {"fr": "Un exemple", "en": "An example"},
    "call": {"fr": "appel", "en": "call"},
    "expected": {"fr": "attendu", "en": "expected"},
    "got": {"fr": "obtenu", "en": "got"},
    "slowest": {"fr": "Les plus lents", "en": "The slowest"},
    "seconds": {"fr": "Secondes", "en": "Seconds"},
    "written": {"fr": "Réponses rédigées, à lire par vous", "en": "Written answers, to be read by you"},
    "written_note": {
        "fr": "Leurs points ne sont pas dans les totaux : c’est vous qui les donnez.",
        "en": "Their points are in no total: it is you who give them.",
    },
    "no_answer": {"fr": "pas de réponse", "en": "no answer"},
    "settings": {"fr": "Réglages", "en": "Settings"},
    "seed": {"fr": "Graine des entrées aléatoires", "en": "Seed of the random inputs"},
    "policy": {"fr": "Plusieurs carnets d’un même étudiant", "en": "Several notebooks of one student"},
    "set_aside": {
        "fr": "Étudiants dont un carnet n’a pas compté",
        "en": "Students with a notebook that did not count",
    },
    "timeout": {"fr": "Secondes par rendu", "en": "Seconds a submission"},
    "versions": {"fr": "Versions", "en": "Versions"},
    "course": {"fr": "cours", "en": "course"},
    "limits": {"fr": "Limites", "en": "Limits"},
}

POLICY: dict[str, Text] = {
    "last": {"fr": "le dernier remis compte (--attempts last)", "en": "the last one counts (--attempts last)"},
    "best": {"fr": "le meilleur compte (--attempts best)", "en": "the best one counts (--attempts best)"},
}

SIGNS = {
    "passed": "✓",
    "failed": "✗",
    "not_attempted": "○",
    "error": "E",
    "timeout": "T",
    "memory": "M",
    "crashed": "C",
    "missing": "–",
    "refused": "R",
    "grader_error": "?",
}
"""What stands for a verdict in the map: a sign that needs no colour."""

VERDICT: dict[str, Text] = {
    "passed": {"fr": "juste", "en": "right"},
    "failed": {"fr": "faux", "en": "wrong"},
    "not_attempted": {"fr": "pas commencé", "en": "not attempted"},
    "error": {"fr": "erreur Python", "en": "Python error"},
    "timeout": {"fr": "temps dépassé", "en": "out of time"},
    "memory": {"fr": "mémoire dépassée", "en": "out of memory"},
    "crashed": {"fr": "arrêté net", "en": "crashed"},
    "missing": {"fr": "absent", "en": "missing"},
    "refused": {"fr": "refusé", "en": "refused"},
    "grader_error": {"fr": "problème du correcteur", "en": "grader problem"},
}
