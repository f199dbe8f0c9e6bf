"""The chapter's questions and predictions."""

from ragteach.checking.exercise import Choice, Prediction, Question

QUIZ = (
    Question(
        "chunking.q_overlap",
        {
            "fr": "À quoi sert le recouvrement entre deux fenêtres ?",
            "en": "What is the overlap between two windows for?",
        },
        (
            Choice(
                {
                    "fr": "À ce qu’une information coupée par une frontière se trouve entière dans l’une des deux.",
                    "en": "So that a fact cut by a boundary is whole in one of the two.",
                },
                True,
                {
                    "fr": "Oui, si elle n’est pas plus longue que le recouvrement. On prend d’habitude 10 à 20 % de "
                    "la taille.",
                    "en": "Yes, provided it is no longer than the overlap. The usual choice is 10 to 20% of the size.",
                },
            ),
            Choice(
                {"fr": "À réduire le nombre de morceaux.", "en": "To reduce the number of chunks."},
                False,
                {
                    "fr": "C’est l’inverse : plus on se recouvre, moins on avance, et plus il y a de morceaux.",
                    "en": "The opposite: the more windows overlap, the slower they move on, and the more there are.",
                },
            ),
            Choice(
                {
                    "fr": "À ce que le modèle lise deux fois ce qui est important.",
                    "en": "So that the model reads what matters twice.",
                },
                False,
                {
                    "fr": "Le recouvrement répète n’importe quoi, important ou non, et cela se paie en tokens.",
                    "en": "The overlap repeats anything, important or not, and those tokens are paid for.",
                },
            ),
        ),
    ),
    Question(
        "chunking.q_size",
        {
            "fr": "Un collègue passe de morceaux de 200 mots à des morceaux de 2 000, « pour donner plus de contexte "
            "au modèle ». Que lui répondre ?",
            "en": 'A colleague goes from chunks of 200 words to chunks of 2,000, "to give the model more context". '
            "What do you say?",
        },
        (
            Choice(
                {
                    "fr": "Il a raison : le rappel@5 monte, donc la recherche est meilleure.",
                    "en": "Good idea: recall@5 goes up, so the search is better.",
                },
                False,
                {
                    "fr": "Cinq gros morceaux contiennent plus de texte que cinq petits : le rappel@5 monte tout seul. "
                    "Comparez à nombre de mots égal.",
                    "en": "Five large chunks contain more text than five small ones, so recall@5 goes up by itself. "
                    "Compare at an equal number of words.",
                },
            ),
            Choice(
                {
                    "fr": "Un gros morceau dilue ce qu’on y cherche et coûte plus cher : chercher petit et fournir le "
                    "parent donne les deux.",
                    "en": "A large chunk dilutes what is searched for and costs more: search small and give the "
                    "parent, and you have both.",
                },
                True,
                {
                    "fr": "C’est le découpage parent-enfant : l’enfant est précis, le parent apporte le contexte.",
                    "en": "That is parent-child chunking: the child is precise, the parent brings the context.",
                },
            ),
            Choice(
                {
                    "fr": "Il faut prendre la plus petite taille possible, une phrase par morceau.",
                    "en": "The smallest possible size is best, one sentence per chunk.",
                },
                False,
                {
                    "fr": "Une phrase seule perd ce qui lui donne son sens : « Il tourne à 10 Hz. » Qui, « il » ?",
                    "en": 'A lone sentence loses what gives it meaning: "It spins at 10 Hz." What does?',
                },
            ),
        ),
    ),
    Question(
        "chunking.q_table",
        {
            "fr": "Le système répond « je ne trouve pas » à « Combien coûte une roue ? », alors que le prix est dans "
            "une table. Que faire d’abord ?",
            "en": 'The system answers "I cannot find it" to "What does a wheel cost?", although a table gives the '
            "price. What is the first thing to do?",
        },
        (
            Choice(
                {"fr": "Prendre un modèle de langage plus grand.", "en": "Take a larger language model."},
                False,
                {
                    "fr": "Le modèle n’a pas reçu la ligne, ou l’a reçue sans ses en-têtes : aucun modèle ne devine.",
                    "en": "The model was not given the row, or was given it without its headers: no model can guess.",
                },
            ),
            Choice(
                {
                    "fr": "Faire de chaque ligne un morceau, avec les en-têtes et le titre de la table.",
                    "en": "Make each row a chunk, with the headers and the table's title.",
                },
                True,
                {
                    "fr": "« Prix : 6,20 € » se comprend seul, et partage des mots avec la question.",
                    "en": '"Price: 6.20 €" makes sense by itself, and shares words with the question.',
                },
            ),
            Choice(
                {"fr": "Augmenter le recouvrement.", "en": "Increase the overlap."},
                False,
                {
                    "fr": "L’en-tête est parfois à vingt lignes de la valeur : aucun recouvrement raisonnable n’y va.",
                    "en": "The header may be twenty rows away from the value: no sensible overlap reaches that far.",
                },
            ),
        ),
    ),
    Question(
        "chunking.q_context",
        {
            "fr": "On écrit « Manuel > Alimentation » devant chaque morceau avant de l’indexer. Qui en profite ?",
            "en": 'Before indexing, "Manual > Power" is written in front of each chunk. Who gains by it?',
        },
        (
            Choice(
                {
                    "fr": "La recherche par le sens seulement ; BM25 n’y gagne rien.",
                    "en": "Search by meaning only; BM25 gains nothing.",
                },
                False,
                {
                    "fr": "BM25 compare des mots : si la question dit « alimentation », le préfixe le lui donne.",
                    "en": 'BM25 compares words: if the question says "power", the prefix supplies it.',
                },
            ),
            Choice(
                {"fr": "Le modèle de langage seulement.", "en": "The language model only."},
                False,
                {
                    "fr": "Il en profite, mais encore faut-il que le morceau soit trouvé, et le préfixe y aide aussi.",
                    "en": "It does gain, but the chunk must first be found, and the prefix helps there too.",
                },
            ),
            Choice(
                {
                    "fr": "La recherche, par les mots comme par le sens, et le modèle qui lira le morceau.",
                    "en": "Search, by words and by meaning alike, and the model that will read the chunk.",
                },
                True,
                {
                    "fr": "Le morceau dit enfin de quoi il parle. Le prix : quelques tokens par morceau.",
                    "en": "The chunk says at last what it is about. The price: a few tokens per chunk.",
                },
            ),
        ),
    ),
    Question(
        "chunking.q_drift",
        {
            "fr": "Depuis la réingestion de lundi, l’assistant donne avec assurance des réponses fausses. Rien n’a "
            "changé dans le prompt ni dans le modèle. Que vérifier en premier ?",
            "en": "Since Monday's re-ingestion the assistant has been giving wrong answers with confidence. Neither "
            "the prompt nor the model has changed. What do you check first?",
        },
        (
            Choice(
                {
                    "fr": "Que l’index et les morceaux viennent du même découpage, et que le rappel n’a pas baissé.",
                    "en": "That index and chunks come from the same chunking, and that recall has not fallen.",
                },
                True,
                {
                    "fr": "C’est la dérive de découpage. Versionner la configuration la révèle ; remesurer le rappel "
                    "la chiffre.",
                    "en": "That is chunk drift. A versioned configuration reveals it; measuring recall again puts a "
                    "number on it.",
                },
            ),
            Choice(
                {
                    "fr": "La formulation du prompt : il faut ordonner au modèle d’être prudent.",
                    "en": "The wording of the prompt: the model must be told to be careful.",
                },
                False,
                {
                    "fr": "Le prompt n’a pas changé. Un modèle prudent devant les mauvais passages reste sans réponse.",
                    "en": "The prompt has not changed. A careful model given the wrong passages still has no answer.",
                },
            ),
            Choice(
                {
                    "fr": "Les connaissances du modèle : il faut l’affiner sur les nouveaux documents.",
                    "en": "The model's knowledge: it must be fine-tuned on the new documents.",
                },
                False,
                {
                    "fr": "L’affinage apprend un style ; les faits qui changent chaque semaine viennent de la "
                    "recherche.",
                    "en": "Fine-tuning teaches a style; facts that change every week come from the search.",
                },
            ),
        ),
    ),
)

PREDICTIONS = (
    Prediction(
        "chunking.windows",
        {
            "fr": "Un texte de 100 mots, des fenêtres de 40 mots qui en partagent 10 : combien de fenêtres faut-il ?",
            "en": "A text of 100 words, windows of 40 words that share 10: how many windows does it take?",
        },
        (
            {"fr": "2", "en": "2"},
            {"fr": "3", "en": "3"},
            {"fr": "4", "en": "4"},
        ),
        {
            "fr": "La première va du mot 1 au mot 40, la deuxième de 31 à 70, la troisième de 61 à 100 : tout y est. "
            "Une quatrième, qui commencerait au mot 91, serait tout entière dans la troisième.",
            "en": "The first runs from word 1 to 40, the second from 31 to 70, the third from 61 to 100: that is all. "
            "A fourth, beginning at word 91, would lie wholly inside the third.",
        },
    ),
    Prediction(
        "chunking.table_row",
        {
            "fr": "La table des prix est découpée en fenêtres de 20 mots. La ligne de la roue y est entière. Le "
            "morceau dit-il encore lequel de ses nombres est le prix ?",
            "en": "The price table is cut into windows of 20 words. The wheel's row is whole in one of them. Does that "
            "chunk still say which of its numbers is the price?",
        },
        (
            {"fr": "Oui, la ligne est entière.", "en": "Yes, the row is whole."},
            {"fr": "Non, l’en-tête est resté dans un autre morceau.", "en": "No, the header stayed in another chunk."},
        ),
        {
            "fr": "Une ligne ne parle que sous son en-tête. Coupée de lui, elle n’est plus qu’une suite de valeurs : "
            "ni la recherche ni le modèle ne peuvent deviner ce qu’elles mesurent.",
            "en": "A row speaks only under its header. Cut off from it, it is a mere run of values: neither the search "
            "nor the model can guess what they measure.",
        },
    ),
    Prediction(
        "chunking.bigger",
        {
            "fr": "On agrandit les morceaux, de 20 à 160 mots, et l’on donne toujours les cinq meilleurs au modèle. "
            "Que fait le rappel@5 ?",
            "en": "The chunks grow from 20 to 160 words, and the best five always go to the model. What does recall@5 "
            "do?",
        },
        (
            {"fr": "Il monte.", "en": "It rises."},
            {"fr": "Il ne bouge pas.", "en": "It stays the same."},
            {"fr": "Il descend : les gros morceaux diluent.", "en": "It falls: large chunks dilute."},
        ),
        {
            "fr": "Cinq gros morceaux portent plus de texte que cinq petits, donc plus de réponses. Ce n’est pas un "
            "mérite : le modèle lit, et vous payez, huit fois plus de mots.",
            "en": "Five large chunks carry more text than five small ones, and so more answers. That is no merit: the "
            "model reads, and you pay for, eight times as many words.",
        },
    ),
    Prediction(
        "chunking.drift",
        {
            "fr": "Les textes sont redécoupés en 60 mots au lieu de 40. L’index, lui, n’est pas reconstruit. Que se "
            "passe-t-il ?",
            "en": "The texts are cut again, into 60 words instead of 40. The index is not rebuilt. What happens?",
        },
        (
            {"fr": "Une erreur s’affiche.", "en": "An error is shown."},
            {"fr": "Presque rien : ce sont les mêmes textes.", "en": "Hardly anything: the texts are the same."},
            {"fr": "Le rappel s’effondre, sans aucun message.", "en": "Recall collapses, without any message."},
        ),
        {
            "fr": "L’index dit toujours « le morceau 57 », mais le numéro 57 n’est plus le même texte. Rien ne "
            "plante : la recherche rend des passages au hasard, et le modèle répond avec assurance.",
            "en": 'The index still says "chunk 57", but number 57 is another text now. Nothing crashes: the search '
            "returns passages at random, and the model answers with confidence.",
        },
    ),
)
