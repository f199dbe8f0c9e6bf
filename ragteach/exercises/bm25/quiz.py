"""The chapter's questions and predictions."""

from ragteach.checking.exercise import Choice, Prediction, Question

QUIZ = (
    Question(
        "bm25.q_idf",
        {
            "fr": "Pourquoi BM25 multiplie-t-il le poids d’un mot par son idf ?",
            "en": "Why does BM25 multiply a word's weight by its idf?",
        },
        (
            Choice(
                {
                    "fr": "Pour que les mots répétés dans un document ne comptent pas trop.",
                    "en": "To keep words repeated within a document from counting too much.",
                },
                False,
                {
                    "fr": "C’est le rôle de la saturation, réglée par k1. L’idf ne regarde pas l’intérieur du "
                    "document.",
                    "en": "That is what saturation does, through k1. The idf does not look inside the document.",
                },
            ),
            Choice(
                {
                    "fr": "Parce qu’un mot que peu de documents contiennent en distingue mieux un des autres.",
                    "en": "Because a word that few documents contain is better at telling them from the rest.",
                },
                True,
                {
                    "fr": "Oui : sans information sur la pertinence, c’est ce que donne le modèle "
                    "d’indépendance binaire.",
                    "en": "Yes: with no information about relevance, this is what the binary independence model gives.",
                },
            ),
            Choice(
                {
                    "fr": "Pour retirer du calcul les mots qui sont dans tous les documents.",
                    "en": "To leave words that appear in every document out of the calculation.",
                },
                False,
                {
                    "fr": "Avec le 1 dans le logarithme, ils pèsent très peu mais restent. Les retirer est le travail "
                    "d’une liste de mots vides.",
                    "en": "With the 1 inside the logarithm they weigh very little, yet they stay. Removing them is the "
                    "job of a stop list.",
                },
            ),
            Choice(
                {
                    "fr": "Pour que les scores soient compris entre 0 et 1.",
                    "en": "To bring the scores into the range 0 to 1.",
                },
                False,
                {
                    "fr": "Les scores BM25 n’ont pas de borne fixe : ils grandissent avec le nombre de mots de la "
                    "question. Seul leur ordre a un sens.",
                    "en": "BM25 scores have no fixed bound: they grow with the number of words in the query. Only "
                    "their order means something.",
                },
            ),
        ),
    ),
    Question(
        "bm25.q_saturation",
        {
            "fr": "On met k1 à 0. Que devient le score d’un document ?",
            "en": "You set k1 to 0. What does a document's score become?",
        },
        (
            Choice(
                {
                    "fr": "La somme des idf des mots de la question qu’il contient, répétés ou non.",
                    "en": "The sum of the idf of each query word that it contains, however often.",
                },
                True,
                {
                    "fr": "Oui : la fraction vaut 1 dès que le mot est présent. La longueur ne joue plus non plus, "
                    "car b n’agit qu’à travers k1.",
                    "en": "Yes: the fraction is 1 as soon as the word is there. Length plays no part either, since b "
                    "acts through k1 only.",
                },
            ),
            Choice(
                {"fr": "Il est nul pour tous les documents.", "en": "It is zero for every document."},
                False,
                {
                    "fr": "Remplacez k1 par 0 dans la formule : il reste tf/tf, qui vaut 1.",
                    "en": "Put 0 for k1 into the formula: tf/tf is left, and that is 1.",
                },
            ),
            Choice(
                {
                    "fr": "La somme des fréquences, sans saturation.",
                    "en": "The sum of the frequencies, without saturation.",
                },
                False,
                {
                    "fr": "C’est l’autre extrême : la saturation s’efface quand k1 devient très grand.",
                    "en": "That is the other extreme: saturation fades when k1 becomes very large.",
                },
            ),
        ),
    ),
    Question(
        "bm25.q_length",
        {
            "fr": "Pourquoi choisit-on d’ordinaire b = 0,75 plutôt que b = 1 ?",
            "en": "Why is b usually set to 0.75 rather than to 1?",
        },
        (
            Choice(
                {
                    "fr": "Parce qu’avec b = 1 les documents courts auraient un score nul.",
                    "en": "Because with b = 1 short documents would score zero.",
                },
                False,
                {
                    "fr": "Au contraire : plus b est grand, plus les documents courts sont favorisés.",
                    "en": "On the contrary: the larger b is, the more short documents are favoured.",
                },
            ),
            Choice(
                {
                    "fr": "Parce que la longueur moyenne est inconnue quand la question arrive.",
                    "en": "Because the average length is unknown when the query arrives.",
                },
                False,
                {
                    "fr": "Elle est connue : on la calcule une fois, avec l’index.",
                    "en": "It is known: it is computed once, with the index.",
                },
            ),
            Choice(
                {
                    "fr": "Parce qu’un document peut être long en se répétant, ou en disant davantage.",
                    "en": "Because a document may be long because it repeats itself, or because it says more.",
                },
                True,
                {
                    "fr": "Oui : il faut corriger entièrement le premier cas, pas du tout le second. Une valeur "
                    "intermédiaire est un compromis, à régler sur ses propres questions.",
                    "en": "Yes: the first case calls for the full correction, the second for none. A value in between "
                    "is a compromise, to be tuned on your own questions.",
                },
            ),
            Choice(
                {
                    "fr": "Pour que l’index inversé reste petit.",
                    "en": "To keep the inverted index small.",
                },
                False,
                {
                    "fr": "L’index contient des fréquences et des numéros ; b ne change que le calcul des scores.",
                    "en": "The index contains document numbers and counts; b changes only how scores are computed.",
                },
            ),
        ),
    ),
    Question(
        "bm25.q_blind",
        {
            "fr": "Le manuel dit : « En cas de surchauffe, le contrôleur réduit le rapport cyclique. » Quelle question "
            "BM25 ne relie-t-il pas à ce passage ?",
            "en": 'The manual says: "On overheating, the controller lowers the duty cycle." Which query does BM25 '
            "fail to connect with that passage?",
        },
        (
            Choice(
                {"fr": "contrôleur surchauffe", "en": "controller overheating"},
                False,
                {
                    "fr": "Les deux mots sont dans le passage, dans un autre ordre ; BM25 ne regarde pas l’ordre.",
                    "en": "Both words appear in the passage, in another order; BM25 ignores order.",
                },
            ),
            Choice(
                {"fr": "pourquoi ralentit-il quand il fait chaud", "en": "why is it slow when it gets hot"},
                True,
                {
                    "fr": "Oui : le sens est là, mais aucun mot n’est commun. Les vecteurs du chapitre suivant "
                    "servent à cela.",
                    "en": "Yes: the meaning is there, but no word is shared. This is what the next chapter's vectors "
                    "are for.",
                },
            ),
            Choice(
                {"fr": "rapport cyclique du moteur LM2596", "en": "duty cycle of motor LM2596"},
                False,
                {
                    "fr": "« rapport » et « cyclique » suffisent. Et un code exact comme LM2596, là où il est écrit, "
                    "est ce que BM25 retrouve le mieux.",
                    "en": '"duty" and "cycle" are enough. And an exact code such as LM2596, where it is written, is '
                    "what BM25 finds best.",
                },
            ),
        ),
    ),
    Question(
        "bm25.q_tokens",
        {
            "fr": "Votre moteur de recherche, en français, rate des réponses évidentes. Que vérifiez-vous d’abord ?",
            "en": "Your search engine for French texts misses obvious answers. What do you look at first?",
        },
        (
            Choice(
                {"fr": "La valeur de k1.", "en": "The value of k1."},
                False,
                {
                    "fr": "k1 change l’ordre de documents déjà trouvés. Il ne fait pas apparaître un mot que l’index "
                    "n’a pas.",
                    "en": "k1 changes the order of documents that are already found. It cannot find a word that the "
                    "index lacks.",
                },
            ),
            Choice(
                {"fr": "La valeur de b.", "en": "The value of b."},
                False,
                {
                    "fr": "Elle compte quand les longueurs sont très inégales, mais seulement entre documents déjà "
                    "trouvés.",
                    "en": "It matters where lengths are very uneven, but only among documents that are already found.",
                },
            ),
            Choice(
                {
                    "fr": "La base du logarithme dans l’idf.",
                    "en": "The base of the logarithm in IDF.",
                },
                False,
                {
                    "fr": "Changer de base multiplie tous les scores par la même constante : le classement reste le "
                    "même.",
                    "en": "Another base multiplies all scores by the same constant: the ranking stays the same.",
                },
            ),
            Choice(
                {
                    "fr": "Les tokens d’un passage manqué et ceux de sa question, côte à côte.",
                    "en": "The tokens of a missed passage and those of its question, side by side.",
                },
                True,
                {
                    "fr": "Oui : une élision, une apostrophe courbe ou un nombre coupé, et le mot n’est plus le même. "
                    "La tokenisation change souvent plus les résultats que les paramètres.",
                    "en": "Yes: an elision, a curly apostrophe or a number cut in two, and the word is no longer the "
                    "same. Tokenisation often changes results more than parameters do.",
                },
            ),
        ),
    ),
)

PREDICTIONS = (
    Prediction(
        "bm25.elision",
        {
            "fr": "Un passage dit « couper l’alimentation ». On découpe les textes avec text.split(). La question "
            "« alimentation » trouve-t-elle le passage ?",
            "en": 'A French passage says "couper l’alimentation". Texts are cut with text.split(). Does the query '
            '"alimentation" find the passage?',
        },
        (
            {"fr": "Oui, le mot est dans le passage.", "en": "Yes, the word is in the passage."},
            {"fr": "Oui, mais avec un score plus faible.", "en": "Yes, but with a lower score."},
            {"fr": "Non, le passage reçoit 0.", "en": "No, the passage scores 0."},
        ),
        {
            "fr": "Pour Python, « l’alimentation » et « alimentation » sont deux mots différents : il n’y a pas "
            "d’à-peu-près. C’est au découpage de les rendre égaux.",
            "en": 'To the index, "l’alimentation" and "alimentation" are two different words; there is no such thing '
            "as a near match. Making them equal is the tokenizer's job.",
        },
    ),
    Prediction(
        "bm25.common",
        {
            "fr": "Un mot est présent dans tous les documents. Avec l’idf ln((N − n + 0,5)/(n + 0,5) + 1), son poids "
            "est :",
            "en": "A word appears in every document. With the idf ln((N - n + 0.5)/(n + 0.5) + 1), its weight is:",
        },
        (
            {"fr": "négatif", "en": "negative"},
            {"fr": "exactement nul", "en": "exactly zero"},
            {"fr": "positif et petit", "en": "positive and small"},
        ),
        {
            "fr": "Quand n = N, la fraction est petite mais positive ; le 1 ajouté rend le logarithme positif. Sans "
            "ce 1, il serait négatif, et contenir le mot ferait perdre des points.",
            "en": "When n = N the fraction is small but positive, so adding 1 makes the logarithm positive. Without "
            "that 1 it would be negative, and containing the word would cost points.",
        },
    ),
    Prediction(
        "bm25.saturation",
        {
            "fr": "Dans un document de longueur moyenne, un mot passe de 1 à 20 occurrences, la longueur restant la "
            "même. Avec k1 = 1,5, par combien son poids est-il multiplié ?",
            "en": "In a document of average length a word goes from 1 to 20 occurrences while the length stays the "
            "same. With k1 = 1.5, by how much is its weight multiplied?",
        },
        (
            {"fr": "par 20", "en": "by 20"},
            {"fr": "par 4 environ", "en": "by about 4"},
            {"fr": "par moins de 2,5", "en": "by less than 2.5"},
            {"fr": "par 1 : il ne change pas", "en": "by 1: it does not change"},
        ),
        {
            "fr": "À longueur moyenne, le poids vaut 1 pour une occurrence et approche k1 + 1 sans jamais "
            "l’atteindre. La deuxième occurrence apporte beaucoup, la vingtième presque rien.",
            "en": "At average length the weight is 1 for one occurrence, and it approaches k1 + 1 without ever "
            "reaching it. The second occurrence adds a lot, the twentieth next to nothing.",
        },
    ),
    Prediction(
        "bm25.longer",
        {
            "fr": "Deux passages contiennent « fusible » une fois. Le second est deux fois plus long. Avec b = 0,75, "
            "lequel a le meilleur score ?",
            "en": 'Two passages contain "fuse" once each. The second is twice as long. With b = 0.75, which one scores '
            "higher?",
        },
        (
            {"fr": "le plus court", "en": "the shorter one"},
            {"fr": "le plus long", "en": "the longer one"},
            {"fr": "ils sont à égalité", "en": "they tie"},
        ),
        {
            "fr": "Dans un passage court, le mot a plus de chances d’être le sujet. La longueur agrandit le "
            "dénominateur, donc réduit le poids ; avec b = 0, les deux passages seraient à égalité.",
            "en": "In a short passage the word is more likely to be the subject. Length enlarges the denominator and "
            "so lowers the weight; with b = 0 the two passages would tie.",
        },
    ),
)
