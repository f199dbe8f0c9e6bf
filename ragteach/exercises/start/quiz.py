"""The chapter's questions and predictions."""

from ragteach.checking.exercise import Choice, Prediction, Question

QUIZ = (
    Question(
        "start.q_weekly",
        {
            "fr": "Un service client a 40 000 articles d’aide, corrigés chaque semaine, et chaque réponse doit citer "
            "le sien. Que choisir ?",
            "en": "A support team has 40,000 help articles, corrected every week, and each answer must cite its own. "
            "What do you choose?",
        },
        (
            Choice(
                {
                    "fr": "Affiner un modèle sur les articles, chaque semaine.",
                    "en": "Fine-tune a model on the articles every week.",
                },
                False,
                {
                    "fr": "Les faits finiraient dans les poids du modèle : ils s’y périment, et ne se citent pas.",
                    "en": "The facts would end up in the model's weights, where they age and cannot be cited.",
                },
            ),
            Choice(
                {"fr": "Le RAG.", "en": "RAG."},
                True,
                {
                    "fr": "Un corpus grand, qui change, et des sources à montrer : les trois raisons sont réunies.",
                    "en": "A large corpus, which changes, and sources to be shown: all three reasons are there.",
                },
            ),
            Choice(
                {
                    "fr": "Coller tous les articles dans chaque prompt.",
                    "en": "Paste all the articles into every prompt.",
                },
                False,
                {
                    "fr": "40 000 articles ne tiennent pas dans la fenêtre, et chaque question paierait pour tous.",
                    "en": "40,000 articles do not fit into the window, and every question would pay for all of them.",
                },
            ),
        ),
    ),
    Question(
        "start.q_style",
        {
            "fr": "Les réponses sont justes, mais jamais dans le format que votre équipe exige. Que faire ?",
            "en": "The answers are right, but never in the format that your team requires. What do you do?",
        },
        (
            Choice(
                {
                    "fr": "Montrer quelques exemples dans le prompt, ou affiner le modèle.",
                    "en": "Show a few examples in the prompt, or fine-tune the model.",
                },
                True,
                {
                    "fr": "Un format est un comportement : des exemples l’enseignent. Les faits, eux, sont déjà là.",
                    "en": "A format is a behaviour, and examples teach it. The facts are there already.",
                },
            ),
            Choice(
                {"fr": "Ajouter des documents au corpus.", "en": "Add documents to the corpus."},
                False,
                {
                    "fr": "La recherche apporte des faits. Le modèle a déjà ceux qu’il lui faut.",
                    "en": "Search brings facts. The model already has those it needs.",
                },
            ),
            Choice(
                {"fr": "Donner plus de passages au modèle.", "en": "Give the model more passages."},
                False,
                {
                    "fr": "Plus de contexte n’aide pas toujours : le bruit distrait, et ne corrige aucun format.",
                    "en": "More context does not always help: noise distracts, and mends no format.",
                },
            ),
        ),
    ),
    Question(
        "start.q_first",
        {
            "fr": "Le système répond faux, avec assurance. Par quoi commencer ?",
            "en": "The system gives a wrong answer, with confidence. Where do you start?",
        },
        (
            Choice(
                {"fr": "Réécrire la consigne du prompt.", "en": "Rewrite the instructions of the prompt."},
                False,
                {
                    "fr": "Si le bon passage n’est pas dans le prompt, aucune consigne ne le fera apparaître.",
                    "en": "If the right passage is not in the prompt, no instruction will make it appear.",
                },
            ),
            Choice(
                {"fr": "Prendre un modèle plus grand.", "en": "Take a larger model."},
                False,
                {
                    "fr": "Un grand modèle devant le mauvais passage donne une mauvaise réponse mieux tournée.",
                    "en": "A large model given the wrong passage gives a wrong answer in better style.",
                },
            ),
            Choice(
                {
                    "fr": "Regarder quels passages la recherche a rendus.",
                    "en": "Look at the passages that the search returned.",
                },
                True,
                {
                    "fr": "On suit la chaîne dans l’ordre : trouvé ? bien classé ? fourni ? utilisé ? La recherche "
                    "vient en premier.",
                    "en": "Follow the chain in order: found? ranked well? given? used? Search comes first.",
                },
            ),
        ),
    ),
    Question(
        "start.q_citation",
        {
            "fr": "Une réponse porte une citation, et le passage cité dit bien la même chose. Qu’en conclure ?",
            "en": "An answer carries a citation, and the cited passage does say the same. What follows?",
        },
        (
            Choice(
                {"fr": "La réponse est vraie.", "en": "The answer is true."},
                False,
                {
                    "fr": "Le passage peut être périmé, ou parler d’un autre robot. Fidèle ne veut pas dire vrai.",
                    "en": "The passage may be out of date, or about another robot. Faithful does not mean true.",
                },
            ),
            Choice(
                {
                    "fr": "La réponse est fidèle à sa source ; reste à savoir si la source est la bonne.",
                    "en": "The answer is faithful to its source; whether the source is the right one is still open.",
                },
                True,
                {
                    "fr": "La citation rend la réponse vérifiable. C’est beaucoup, et ce n’est pas une preuve.",
                    "en": "The citation makes the answer checkable. That is a lot, and it is no proof.",
                },
            ),
            Choice(
                {"fr": "Rien : le modèle a pu inventer le numéro.", "en": "Nothing: the model may have made it up."},
                False,
                {
                    "fr": "Un numéro inventé se voit : il ne mène à rien, ou à un passage qui dit autre chose.",
                    "en": "An invented number shows: it leads to no passage, or to one that says something else.",
                },
            ),
        ),
    ),
    Question(
        "start.q_blank",
        {
            "fr": "Vous exécutez tout un carnet sans avoir rempli ses cellules « À vous ». Que se passe-t-il ?",
            "en": 'You run a whole notebook without having filled in its "Your turn" cells. What happens?',
        },
        (
            Choice(
                {
                    "fr": "La suite tourne avec la fonction de référence, et l’exercice reste à faire.",
                    "en": "The rest runs with the reference function, and the exercise is still to be done.",
                },
                True,
                {
                    "fr": "check rend votre fonction si elle est juste, sinon la référence, et vous le dit.",
                    "en": "check returns your function if it is right, else the reference, and tells you so.",
                },
            ),
            Choice(
                {
                    "fr": "Le carnet s’arrête à la première cellule vide.",
                    "en": "The notebook stops at the first blank.",
                },
                False,
                {
                    "fr": "Une leçon ne bloque jamais : lisez d’abord, remplissez ensuite, si vous préférez.",
                    "en": "A lesson never blocks: read first and fill in later, if you like that better.",
                },
            ),
            Choice(
                {"fr": "L’exercice est noté zéro pour de bon.", "en": "The exercise scores zero for good."},
                False,
                {
                    "fr": "Une cellule vide n’est pas une faute, et le meilleur de vos essais est celui qui reste.",
                    "en": "A blank is no mistake, and the best of your attempts is the one that stays.",
                },
            ),
        ),
    ),
)

PREDICTIONS = (
    Prediction(
        "start.camera",
        {
            "fr": "Aucun document ne parle d’une caméra. On demande pourtant sa résolution. Que va répondre notre "
            "système ?",
            "en": "No document mentions a camera. We ask for its resolution all the same. What will our system answer?",
        },
        (
            {"fr": "Un chiffre inventé.", "en": "A made-up figure."},
            {"fr": "Qu’il ne peut pas répondre.", "en": "That it cannot answer."},
            {"fr": "Rien : la recherche ne rend aucun passage.", "en": "Nothing: the search returns no passage."},
        ),
        {
            "fr": "La recherche rend toujours quelque chose, même sans rapport. C’est à l’étape suivante de voir "
            "qu’aucun passage ne répond, et de le dire par une phrase exacte, qu’un programme sait reconnaître.",
            "en": "The search always returns something, however unrelated. It is for the next step to see that no "
            "passage answers, and to say so in one exact sentence, which a program can recognise.",
        },
    ),
    Prediction(
        "start.cited",
        {
            "fr": "Le système répond en citant sa source, et la vérification des citations ne trouve rien à redire. La "
            "réponse est-elle juste ?",
            "en": "The system answers with its source, and the check of citations finds no fault. Is the answer right?",
        },
        (
            {"fr": "Oui, forcément.", "en": "Yes, it must be."},
            {"fr": "Pas forcément.", "en": "Not necessarily."},
        ),
        {
            "fr": "La réponse dit ce que dit sa source. Si la recherche a mis la mauvaise source en tête, la réponse "
            "est fausse, et sa citation impeccable.",
            "en": "The answer says what its source says. If the search put the wrong source first, the answer is "
            "wrong, and its citation flawless.",
        },
    ),
)
