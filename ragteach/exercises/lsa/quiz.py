"""The chapter's questions and predictions."""

from ragteach.checking.exercise import Choice, Prediction, Question

QUIZ = (
    Question(
        "lsa.q_svd",
        {
            "fr": "Une question dit « accu », le passage dit « batterie ». Pourquoi une LSA peut-elle les rapprocher ?",
            "en": 'A query says "accumulator", the passage says "battery". Why can LSA bring them together?',
        },
        (
            Choice(
                {
                    "fr": "Parce qu’elle consulte un dictionnaire de synonymes.",
                    "en": "Because it looks words up in a dictionary of synonyms.",
                },
                False,
                {
                    "fr": "Elle ne connaît que le corpus. La table de synonymes, écrite à la main, est une autre "
                    "méthode.",
                    "en": "It knows the corpus alone. The hand-made table of synonyms is another method.",
                },
            ),
            Choice(
                {
                    "fr": "Parce que les deux mots se trouvent dans les mêmes compagnies : charge, cellule, stockage.",
                    "en": "Because the two words keep the same company: charge, cell, storage.",
                },
                True,
                {
                    "fr": "Oui : en peu de dimensions, des mots qui ont les mêmes voisins reçoivent presque la même "
                    "direction. Si « accu » n’est nulle part dans le corpus, elle n’y peut rien.",
                    "en": "Yes: in few dimensions, words with the same neighbours get nearly the same direction. "
                    "Where the corpus never says one of them, it can do nothing.",
                },
            ),
            Choice(
                {
                    "fr": "Parce que la norme 1 efface les différences entre les mots.",
                    "en": "Because norm 1 wipes out the differences between words.",
                },
                False,
                {
                    "fr": "La norme 1 n’efface que la longueur du texte. Les vecteurs TF-IDF ont aussi la norme 1, et "
                    "ils ne rapprochent rien.",
                    "en": "Norm 1 only wipes out the length of a text. TF-IDF vectors have norm 1 too, and bring "
                    "nothing together.",
                },
            ),
        ),
    ),
    Question(
        "lsa.q_dims",
        {
            "fr": "On garde toutes les dimensions, autant que de morceaux. Que devient la LSA sur ces morceaux ?",
            "en": "You keep every dimension, as many as there are chunks. What becomes of LSA on those chunks?",
        },
        (
            Choice(
                {
                    "fr": "La meilleure possible : rien n’a été perdu.",
                    "en": "The best that it can be: nothing was lost.",
                },
                False,
                {
                    "fr": "Rien n’est perdu, donc rien n’est rapproché : c’est l’oubli qui fait se rejoindre des mots "
                    "différents.",
                    "en": "Nothing is lost, so nothing is brought together: it is forgetting that makes different "
                    "words meet.",
                },
            ),
            Choice(
                {
                    "fr": "Elle ne marche plus du tout.",
                    "en": "It no longer works at all.",
                },
                False,
                {
                    "fr": "Elle marche comme une recherche par mots : le cosinus entre deux morceaux est celui de "
                    "leurs vecteurs TF-IDF.",
                    "en": "It works like a search by words: the cosine of two chunks is that of their TF-IDF vectors.",
                },
            ),
            Choice(
                {
                    "fr": "Elle retombe sur les cosinus TF-IDF entre morceaux : plus aucun rapprochement.",
                    "en": "It falls back on the TF-IDF cosines between chunks: nothing is brought together any more.",
                },
                True,
                {
                    "fr": "Oui : une rotation complète ne change aucun angle. Tout l’effet vient des dimensions "
                    "abandonnées.",
                    "en": "Yes: a complete rotation changes no angle. The whole effect comes from the dimensions that "
                    "are given up.",
                },
            ),
        ),
    ),
    Question(
        "lsa.q_theorem",
        {
            "fr": "Votre base vectorielle ne sait chercher que par distance euclidienne. Que faites-vous pour obtenir "
            "le classement par cosinus ?",
            "en": "Your vector store only searches by Euclidean distance. How do you get the ranking by cosine?",
        },
        (
            Choice(
                {
                    "fr": "Rien n’est possible : il faut une autre base.",
                    "en": "It cannot be done: another store is needed.",
                },
                False,
                {
                    "fr": "Le théorème 2 dit le contraire : sur des vecteurs de norme 1, les deux classements sont "
                    "les mêmes.",
                    "en": "Theorem 2 says otherwise: for vectors of norm 1 the two rankings are the same.",
                },
            ),
            Choice(
                {
                    "fr": "On donne la norme 1 à tous les vecteurs, question comprise, avant de les y mettre.",
                    "en": "Give every vector norm 1, the query's included, before it goes in.",
                },
                True,
                {
                    "fr": "Oui : ‖u − v‖² = 2 − 2 cos. La plus petite distance est alors le plus grand cosinus.",
                    "en": "Yes: ‖u - v‖² = 2 - 2 cos, so the smallest distance is then the largest cosine.",
                },
            ),
            Choice(
                {
                    "fr": "On retourne le classement : la plus grande distance d’abord.",
                    "en": "Turn the ranking round: the largest distance first.",
                },
                False,
                {
                    "fr": "Le plus loin serait en tête. Grand cosinus veut dire petite distance.",
                    "en": "The farthest would be on top. A large cosine means a small distance.",
                },
            ),
            Choice(
                {
                    "fr": "On multiplie les vecteurs par 2, puis on retranche.",
                    "en": "Multiply the vectors by 2, then subtract.",
                },
                False,
                {
                    "fr": "Changer l’échelle de tous les vecteurs ne change pas l’ordre des distances. C’est la "
                    "longueur de chacun qui gêne.",
                    "en": "Scaling all vectors leaves the order of distances as it is. It is each one's own length "
                    "that is in the way.",
                },
            ),
        ),
    ),
    Question(
        "lsa.q_negatives",
        {
            "fr": "Pourquoi entraîner un bi-encodeur avec des négatifs « durs », bien placés par BM25 mais non "
            "pertinents ?",
            "en": 'Why is a bi-encoder trained with "hard" negatives, which BM25 ranks high though they are not '
            "relevant?",
        },
        (
            Choice(
                {
                    "fr": "Parce que des négatifs pris au hasard sont déjà loin : leur perte est presque nulle et "
                    "n’apprend rien.",
                    "en": "Because negatives drawn at random are far away already: their loss is next to nothing and "
                    "teaches nothing.",
                },
                True,
                {
                    "fr": "Oui : l’exponentielle fait que seuls comptent les négatifs proches. Ce sont eux que le "
                    "modèle doit apprendre à écarter.",
                    "en": "Yes: through the exponential only near negatives count. They are the ones that the model "
                    "has to learn to push away.",
                },
            ),
            Choice(
                {
                    "fr": "Pour que le modèle imite le classement de BM25.",
                    "en": "So that the model imitates BM25's ranking.",
                },
                False,
                {
                    "fr": "C’est l’inverse : on lui montre les erreurs de BM25 pour qu’il ne les refasse pas.",
                    "en": "The other way round: it is shown BM25's mistakes so as not to repeat them.",
                },
            ),
            Choice(
                {
                    "fr": "Pour rendre la perte plus petite.",
                    "en": "To make the loss smaller.",
                },
                False,
                {
                    "fr": "Elle devient plus grande au départ : la question est plus difficile.",
                    "en": "It becomes larger at first: the task is harder.",
                },
            ),
        ),
    ),
    Question(
        "lsa.q_cross",
        {
            "fr": "Qu’est-ce qui empêche de fouiller un million de morceaux avec un cross-encodeur ?",
            "en": "What keeps us from searching a million chunks with a cross-encoder?",
        },
        (
            Choice(
                {
                    "fr": "Il est moins précis qu’un bi-encodeur.",
                    "en": "It is less accurate than a bi-encoder.",
                },
                False,
                {
                    "fr": "Il est plus précis : il lit la question et le morceau ensemble.",
                    "en": "It is more accurate: it reads the query and the chunk together.",
                },
            ),
            Choice(
                {
                    "fr": "Ses vecteurs prendraient trop de mémoire.",
                    "en": "Its vectors would take too much memory.",
                },
                False,
                {
                    "fr": "Il n’en a pas : il rend un score pour un couple. C’est ColBERT qui garde beaucoup de "
                    "vecteurs.",
                    "en": "It has none: it returns a score for a pair. ColBERT is the one that keeps many vectors.",
                },
            ),
            Choice(
                {
                    "fr": "Il faudrait un million de passages dans le modèle à chaque question : rien ne se calcule "
                    "d’avance.",
                    "en": "It would take a million runs of the model for each query: nothing can be computed in "
                    "advance.",
                },
                True,
                {
                    "fr": "Oui. On l’emploie donc sur les quelques dizaines de morceaux qu’une première recherche a "
                    "retenus (chapitre 04).",
                    "en": "Yes. So it is used on the few dozen chunks that a first search has found (chapter 04).",
                },
            ),
        ),
    ),
    Question(
        "lsa.q_memory",
        {
            "fr": "Dix millions de morceaux, 768 dimensions, float32 : l’index prend environ 31 Go. Que gagne-t-on "
            "avec un octet par nombre (int8) ?",
            "en": "Ten million chunks, 768 dimensions, float32: the index takes about 31 GB. What does one byte a "
            "number (int8) bring?",
        },
        (
            Choice(
                {"fr": "Environ 15 Go : la moitié.", "en": "About 15 GB: half."},
                False,
                {
                    "fr": "Ce serait float16, deux octets par nombre.",
                    "en": "That would be float16, two bytes a number.",
                },
            ),
            Choice(
                {"fr": "Environ 8 Go : le quart.", "en": "About 8 GB: a quarter."},
                True,
                {
                    "fr": "Oui : de quatre octets à un. Le chapitre 07 descend à 1 Go, par quantification produit.",
                    "en": "Yes: from four bytes to one. Chapter 07 goes down to 1 GB by product quantization.",
                },
            ),
            Choice(
                {"fr": "Rien : le nombre de vecteurs ne change pas.", "en": "Nothing: there are as many vectors."},
                False,
                {
                    "fr": "La mémoire est n × dims × octets par nombre : le troisième facteur a changé.",
                    "en": "Memory is n × dims × bytes per number: the third factor has changed.",
                },
            ),
        ),
    ),
)

PREDICTIONS = (
    Prediction(
        "lsa.synonym",
        {
            "fr": "Un passage dit « la batterie est gonflée », une question « mon accu est bombé ». Quel est le "
            "cosinus de leurs vecteurs TF-IDF ?",
            "en": 'A passage says "the battery is swollen", a query "my accumulator looks puffed". What is the cosine '
            "of their TF-IDF vectors?",
        },
        (
            {"fr": "proche de 1, le sens est le même", "en": "close to 1, for the meaning is the same"},
            {"fr": "environ 0,5", "en": "about 0.5"},
            {"fr": "proche de 0, ou nul", "en": "close to 0, or zero"},
        ),
        {
            "fr": "Le produit scalaire ne voit que les mots communs aux deux textes. Pour TF-IDF, « accu » et "
            "« batterie » sont deux axes perpendiculaires.",
            "en": 'The inner product only sees the words that both texts hold. To TF-IDF, "accumulator" and "battery" '
            "are two perpendicular axes.",
        },
    ),
    Prediction(
        "lsa.distance",
        {
            "fr": "Deux vecteurs de norme 1 ont le cosinus 0,5. Quel est le carré de leur distance ?",
            "en": "Two vectors of norm 1 have cosine 0.5. What is their squared distance?",
        },
        (
            {"fr": "0,5", "en": "0.5"},
            {"fr": "1", "en": "1"},
            {"fr": "1,5", "en": "1.5"},
        ),
        {
            "fr": "‖u − v‖² = 1 + 1 − 2 × 0,5. Les deux vecteurs et leur différence forment un triangle équilatéral : "
            "un angle de 60°.",
            "en": "‖u - v‖² = 1 + 1 - 2 × 0.5. The two vectors and their difference make an equilateral triangle: an "
            "angle of 60°.",
        },
    ),
    Prediction(
        "lsa.dims",
        {
            "fr": "Le corpus du robot fait plus de 300 morceaux. Combien de dimensions faut-il garder pour que les "
            "questions reformulées trouvent le mieux leur passage ?",
            "en": "The robot corpus makes more than 300 chunks. How many dimensions should be kept for reworded "
            "questions to find their passages best?",
        },
        (
            {"fr": "deux ou trois : on veut l’essentiel", "en": "two or three: the essence is what we want"},
            {"fr": "entre 20 et 200", "en": "between 20 and 200"},
            {"fr": "le plus possible", "en": "as many as possible"},
        ),
        {
            "fr": "Trop peu, et des sujets sans rapport se confondent. Trop, et plus rien ne se rapproche. L’optimum "
            "dépend du corpus et des questions : il se mesure.",
            "en": "Too few, and unrelated subjects are confused. Too many, and nothing is brought together any more. "
            "The best number depends on the corpus and on the questions: it has to be measured.",
        },
    ),
    Prediction(
        "lsa.codes",
        {
            "fr": "Les questions qui citent un code exact (un numéro de pièce, un topic) : la LSA fait-elle mieux que "
            "BM25 ?",
            "en": "Questions that quote an exact code (a part number, a topic): does LSA do better than BM25?",
        },
        (
            {"fr": "mieux", "en": "better"},
            {"fr": "pareil", "en": "the same"},
            {"fr": "moins bien", "en": "worse"},
        ),
        {
            "fr": "Un code est rare : il pèse peu dans les grandes directions du corpus, et l’oubli des petites "
            "l’emporte avec elles. BM25, lui, le retrouve à coup sûr.",
            "en": "A code is rare: it weighs little in the main directions of the corpus, and goes when the small "
            "ones are forgotten. BM25 is sure to find it.",
        },
    ),
    Prediction(
        "lsa.training",
        {
            "fr": "On entraîne l’encodeur sur la moitié des questions. Son rappel montera :",
            "en": "The encoder is trained on half of the questions. Its recall will rise:",
        },
        (
            {"fr": "autant sur les autres questions", "en": "as much on the other questions"},
            {"fr": "beaucoup moins sur les autres", "en": "much less on the others"},
            {"fr": "sur les autres seulement", "en": "on the others only"},
        ),
        {
            "fr": "Les questions d’entraînement sont apprises par cœur. Seul le rappel sur des questions jamais vues "
            "dit ce que l’encodeur a compris : c’est le seul qu’on publie.",
            "en": "Training questions are learnt by heart. Only the recall on questions never seen tells what the "
            "encoder has understood: it is the only one to publish.",
        },
    ),
)
