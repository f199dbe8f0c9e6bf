"""The sentences of a notebook's cells, French and English side by side."""

from ragteach.checking.exercise import Text

PROGRESS: Text = {
    "fr": "{bar} {points} sur {total} · exercices réussis : {done} sur {n}.",
    "en": "{bar} {points} out of {total} · exercises done: {done} out of {n}.",
}
NEXT: Text = {
    "fr": "Prochain exercice : {title} ({id}).",
    "en": "Next exercise: {title} ({id}).",
}
ALL_DONE: Text = {
    "fr": "Chapitre terminé, bravo !",
    "en": "Chapter finished. Well done!",
}
ATTEMPTS: Text = {
    "fr": "(essais : {n})",
    "en": "(attempts: {n})",
}
OTHER_VERSION: Text = {
    "fr": "Ce carnet vient de la version {notebook} du cours, le paquet ragteach installé de la version {package}. "
    "Mettez les deux à jour ensemble : certains exercices ont pu changer.",
    "en": "This notebook comes from version {notebook} of the course, the installed ragteach package from version "
    "{package}. Update both together: some exercises may have changed.",
}
REFERENCE_TAKES_OVER: Text = {
    "fr": "En attendant, la suite du carnet utilise la fonction {entry} de référence.",
    "en": "Meanwhile the rest of the notebook uses the reference {entry}.",
}
NOT_KEPT: Text = {
    "fr": "La progression n’a pas pu être enregistrée dans {folder}.",
    "en": "The progress could not be saved in {folder}.",
}
UNKNOWN: Text = {
    "fr": "Aucun exercice ne s’appelle {id}. Les noms les plus proches : {nearest}.",
    "en": "No exercise is called {id}. The closest names: {nearest}.",
}
HINT: Text = {
    "fr": "Indice {number} sur {n} · {title}",
    "en": "Hint {number} of {n} · {title}",
}
MORE: Text = {
    "fr": "Exécutez encore la cellule pour l’indice suivant.",
    "en": "Run the cell again for the next hint.",
}
SOLUTION: Text = {
    "fr": "C’était le dernier indice. La solution expliquée est dans le dossier solutions, sous le même nom.",
    "en": "That was the last hint. The explained solution is in the solutions folder, under the same name.",
}
RIGHT: Text = {
    "fr": "✓ Juste.",
    "en": "✓ Right.",
}
WRONG: Text = {
    "fr": "✗ Pas tout à fait.",
    "en": "✗ Not quite.",
}
RUN_TO_ANSWER: Text = {
    "fr": "Exécutez cette cellule pour répondre.",
    "en": "Run this cell to answer.",
}
PREDICT: Text = {
    "fr": "Avant d’exécuter la suite, pariez :",
    "en": "Before you run what follows, make a prediction:",
}
NOTED: Text = {
    "fr": "C’est noté : {choice}",
    "en": "Noted: {choice}",
}
PREDICTED: Text = {
    "fr": "Votre pari : {choice}",
    "en": "Your prediction: {choice}",
}
NO_PREDICTION: Text = {
    "fr": "Vous n’avez pas parié. La prochaine fois, essayez : on retient mieux ce que l’on a d’abord deviné.",
    "en": "You made no prediction. Try next time: what we first had to guess stays with us.",
}
COMPUTED: Text = {
    "fr": "Le calcul dit : {value}",
    "en": "The computed answer: {value}",
}
