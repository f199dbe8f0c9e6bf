"""The chapter's questions and predictions."""

from ragteach.checking.exercise import Choice, Prediction, Question

QUIZ = (
    Question(
        "ivf.q_nprobe",
        {
            "fr": "On visite toutes les cellules (nprobe = nombre de cellules). Que rend la recherche IVF ?",
            "en": "All cells are visited (nprobe = number of cells). What does an IVF search return?",
        },
        (
            Choice(
                {
                    "fr": "À peu près les bons voisins, avec quelques oublis.",
                    "en": "Roughly the right neighbours, with a few missing.",
                },
                False,
                {
                    "fr": "Les oublis viennent des cellules non visitées. Ici il n’y en a pas.",
                    "en": "What is missed lies in cells that are not visited. Here there are none.",
                },
            ),
            Choice(
                {
                    "fr": "Exactement le résultat exact, pour un peu plus de calculs que lui.",
                    "en": "Exactly the exact result, for a little more work than exact search.",
                },
                True,
                {
                    "fr": "Oui : tous les vecteurs sont mesurés, et les centres en plus. C’est aussi un bon test : si "
                    "votre IVF diffère ici de l’exact, il a une erreur.",
                    "en": "Yes: every vector is measured, and the centroids on top. It is a good test as well: if your "
                    "IVF differs from exact search here, it has a bug.",
                },
            ),
            Choice(
                {
                    "fr": "Un meilleur résultat que l’exact, car les cellules regroupent ce qui se ressemble.",
                    "en": "A better result than exact search, since cells bring like things together.",
                },
                False,
                {
                    "fr": "On ne peut pas faire mieux que l’exact : il est la définition des k plus proches.",
                    "en": "Nothing beats exact search: it is what the k nearest are by definition.",
                },
            ),
        ),
    ),
    Question(
        "ivf.q_curves",
        {
            "fr": "Pourquoi un même nprobe donne-t-il un rappel faible sur des vecteurs tirés au hasard et fort sur de "
            "vrais textes ?",
            "en": "Why does the same nprobe give low recall on random vectors and high recall on real texts?",
        },
        (
            Choice(
                {
                    "fr": "Les vecteurs de textes ont moins de dimensions.",
                    "en": "Text vectors have fewer dimensions.",
                },
                False,
                {
                    "fr": "Dans la leçon, tous en ont 32. C’est leur disposition qui diffère.",
                    "en": "In the lesson all have 32. What differs is how they lie.",
                },
            ),
            Choice(
                {
                    "fr": "k-means n’a pas assez de tours pour des vecteurs au hasard.",
                    "en": "k-means does not do enough rounds for random vectors.",
                },
                False,
                {
                    "fr": "Plus de tours n’y changent presque rien : il n’y a pas de groupes à trouver.",
                    "en": "More rounds change next to nothing: there are no groups to be found.",
                },
            ),
            Choice(
                {
                    "fr": "Le produit scalaire ne convient pas aux vecteurs au hasard.",
                    "en": "The inner product does not suit random vectors.",
                },
                False,
                {
                    "fr": "Il définit les voisins exacts comme les approchés : ce n’est pas lui qui en perd.",
                    "en": "It defines exact and approximate neighbours alike: it is not what loses them.",
                },
            ),
            Choice(
                {
                    "fr": "Au hasard, les voisins d’une question sont éparpillés dans beaucoup de cellules ; ceux d’un "
                    "texte tiennent dans quelques-unes.",
                    "en": "At random, a query's neighbours are scattered over many cells; those of a text fit into a "
                    "few.",
                },
                True,
                {
                    "fr": "Oui, et la leçon le compte. D’où la règle : mesurez sur vos vecteurs, avec vos questions.",
                    "en": "Yes, and the lesson counts it. Hence the rule: measure on your own vectors and queries.",
                },
            ),
        ),
    ),
    Question(
        "ivf.q_two_recalls",
        {
            "fr": "Votre index approché a un rappel de 0,95. Sur vos questions annotées, le rappel@10 de la recherche "
            "exacte est 0,60. Où est le problème le plus grave ?",
            "en": "Your approximate index has a recall of 0.95. On your annotated questions, recall@10 of exact search "
            "is 0.60. Where is the bigger problem?",
        },
        (
            Choice(
                {
                    "fr": "Dans les vecteurs (ou les morceaux) : même l’exact ne trouve que 60 % des passages.",
                    "en": "In the vectors (or the chunks): even exact search finds only 60% of the passages.",
                },
                True,
                {
                    "fr": "Oui : le produit des deux, environ 0,57, est limité surtout par le second. Un index parfait "
                    "ne donnerait que 0,60.",
                    "en": "Yes: their product, about 0.57, is held down mostly by the second. A perfect index would "
                    "give 0.60 and no more.",
                },
            ),
            Choice(
                {
                    "fr": "Dans l’index : il faut augmenter nprobe jusqu’à 1.",
                    "en": "In the index: raise nprobe until it reaches 1.",
                },
                False,
                {
                    "fr": "Vous passeriez de 0,57 à 0,60 au mieux. Les 40 % manquants sont ailleurs.",
                    "en": "You would go from 0.57 to 0.60 at best. The missing 40% are elsewhere.",
                },
            ),
            Choice(
                {
                    "fr": "Nulle part : 0,95 et 0,60 mesurent la même chose sur deux jeux de données.",
                    "en": "Nowhere: 0.95 and 0.60 measure the same thing on two data sets.",
                },
                False,
                {
                    "fr": "Ce sont deux rappels différents : accord avec l’exact d’un côté, passages qui répondent de "
                    "l’autre.",
                    "en": "They are two different recalls: agreement with exact search on one side, passages that "
                    "answer on the other.",
                },
            ),
        ),
    ),
    Question(
        "ivf.q_filter",
        {
            "fr": "Un utilisateur n’a le droit de lire que 2 % des morceaux. L’index rend dix voisins, que l’on filtre "
            "ensuite. Que se passe-t-il le plus souvent ?",
            "en": "A user may read 2% of the chunks only. The index returns ten neighbours, which are then filtered. "
            "What happens most of the time?",
        },
        (
            Choice(
                {
                    "fr": "Il reçoit dix bons résultats : le filtre enlève seulement des inutiles.",
                    "en": "They get ten good results: the filter only takes useless ones away.",
                },
                False,
                {
                    "fr": "Le filtre ne sait pas remplacer ce qu’il enlève : personne n’a cherché plus loin.",
                    "en": "The filter cannot replace what it takes away: nobody has searched any further.",
                },
            ),
            Choice(
                {
                    "fr": "Il reçoit des documents interdits.",
                    "en": "They get documents that are not allowed.",
                },
                False,
                {
                    "fr": "Le filtre empêche bien la fuite. C’est le nombre de résultats qui s’effondre.",
                    "en": "The filter does prevent the leak. It is the number of results that collapses.",
                },
            ),
            Choice(
                {
                    "fr": "Il reçoit zéro ou un résultat, alors que de bons documents permis existent.",
                    "en": "They get no result or one, although good allowed documents exist.",
                },
                True,
                {
                    "fr": "Oui : dix fois 2 % font 0,2 résultat en moyenne, si les droits n’ont rien à voir avec le "
                    "sujet. Filtrez avant, ou choisissez un index qui filtre pendant.",
                    "en": "Yes: ten times 2% is 0.2 results on average, if rights have nothing to do with the subject. "
                    "Filter before, or choose an index that filters on the way.",
                },
            ),
            Choice(
                {
                    "fr": "La recherche devient plus lente que l’exacte.",
                    "en": "The search becomes slower than exact search.",
                },
                False,
                {
                    "fr": "Filtrer dix résultats ne coûte rien. Ce n’est pas le temps qui souffre.",
                    "en": "Filtering ten results costs nothing. Time is not what suffers.",
                },
            ),
        ),
    ),
    Question(
        "ivf.q_when",
        {
            "fr": "15 000 morceaux, 768 dimensions, une réponse en 3 secondes dont 15 ms de recherche exacte. Un "
            "collègue veut installer un index approché. Que répondez-vous ?",
            "en": "15,000 chunks, 768 dimensions, an answer in 3 seconds of which exact search takes 15 ms. A "
            "colleague wants to install an approximate index. What do you say?",
        },
        (
            Choice(
                {
                    "fr": "D’accord : toute milliseconde gagnée est bonne à prendre.",
                    "en": "Fine: every millisecond saved is worth having.",
                },
                False,
                {
                    "fr": "Personne ne verra la différence, mais on paierait en rappel, en réglages et en mises à "
                    "jour.",
                    "en": "Nobody will notice the difference, but you would pay in recall, in tuning and in updates.",
                },
            ),
            Choice(
                {
                    "fr": "Pas encore : la recherche prend une part infime du temps, et l’exact ne perd rien.",
                    "en": "Not yet: the search takes a tiny share of the time, and exact search misses nothing.",
                },
                True,
                {
                    "fr": "Oui. Commencez exact ; changez quand la recherche, mesurée, pèse face à la génération.",
                    "en": "Yes. Start exact; change when the search, measured, weighs against generation.",
                },
            ),
            Choice(
                {
                    "fr": "Oui, mais seulement avec nprobe égal au nombre de cellules.",
                    "en": "Yes, but only with nprobe equal to the number of cells.",
                },
                False,
                {
                    "fr": "Ce serait l’exact, avec les centres à mesurer en plus.",
                    "en": "That would be exact search, with the centroids to measure on top.",
                },
            ),
        ),
    ),
)

PREDICTIONS = (
    Prediction(
        "ivf.cost",
        {
            "fr": "10 000 pages font environ 14 300 morceaux. Chacun a un vecteur de 768 nombres. Une machine qui "
            "fait un milliard de multiplications-additions par seconde compare une question à tous. Combien de temps ?",
            "en": "10,000 pages make about 14,300 chunks. Each has a vector of 768 numbers. A machine that does a "
            "billion multiply-adds a second compares a query with all of them. How long does it take?",
        },
        (
            {"fr": "une dizaine de millisecondes", "en": "about ten milliseconds"},
            {"fr": "une seconde", "en": "a second"},
            {"fr": "une minute", "en": "a minute"},
        ),
        {
            "fr": "14 300 × 768 font onze millions d’opérations, soit un centième de seconde. La recherche exacte va "
            "beaucoup plus loin qu’on ne le croit.",
            "en": "14,300 × 768 is eleven million operations, or a hundredth of a second. Exact search goes much "
            "further than people think.",
        },
    ),
    Prediction(
        "ivf.random",
        {
            "fr": "20 000 vecteurs tirés au hasard sont rangés en 64 cellules. On ne visite que la cellule la plus "
            "proche de la question. Quelle part des dix plus proches voisins y trouve-t-on ?",
            "en": "20,000 random vectors are sorted into 64 cells. Only the cell nearest to the query is visited. What "
            "share of the ten nearest neighbours is found there?",
        },
        (
            {"fr": "presque tous", "en": "nearly all"},
            {"fr": "la moitié environ", "en": "about half"},
            {"fr": "moins d’un quart", "en": "less than a quarter"},
        ),
        {
            "fr": "C’est une dizaine de fois mieux qu’un tirage de 1/64, et pourtant décevant : au hasard, les voisins "
            "d’une question ne se tiennent pas ensemble.",
            "en": "That is some ten times better than drawing 1/64 of them blindly, and yet disappointing: at random, "
            "a query's neighbours do not keep together.",
        },
    ),
    Prediction(
        "ivf.three",
        {
            "fr": "Mêmes réglages, quatre cellules visitées sur 64, trois jeux de vecteurs : au hasard, en groupes "
            "bien séparés, morceaux des textes du robot. Dans quel ordre vont les rappels, du plus faible au plus "
            "fort ?",
            "en": "Same settings, four cells visited out of 64, three sets of vectors: random ones, well-separated "
            "groups, chunks of the robot's texts. In what order do the recalls come, lowest first?",
        },
        (
            {"fr": "hasard, textes, groupes", "en": "random, texts, groups"},
            {"fr": "textes, hasard, groupes", "en": "texts, random, groups"},
            {"fr": "groupes, textes, hasard", "en": "groups, texts, random"},
            {"fr": "ils sont égaux", "en": "they are equal"},
        ),
        {
            "fr": "Un texte parle d’un sujet, et les sujets font des groupes aux bords flous : mieux que le hasard, "
            "moins bien que des groupes fabriqués.",
            "en": "A text has a subject, and subjects make groups with blurred edges: better than random, not as good "
            "as groups made to order.",
        },
    ),
    Prediction(
        "ivf.after",
        {
            "fr": "Un visiteur d’un autre atelier n’a le droit de lire qu’une notice, un ou deux morceaux sur cent. On "
            "cherche dix voisins parmi tous les morceaux, puis on enlève ceux qu’il ne peut pas lire. Combien lui en "
            "reste-t-il en moyenne ?",
            "en": "A visitor from another workshop may read one leaflet only, one or two chunks in a hundred. We "
            "search for ten neighbours among all chunks, then take out those that the visitor may not read. How many "
            "are left on average?",
        },
        (
            {"fr": "dix", "en": "ten"},
            {"fr": "trois ou quatre", "en": "three or four"},
            {"fr": "moins d’un", "en": "less than one"},
        ),
        {
            "fr": "Filtrer après, c’est chercher sans savoir ce que l’on a le droit de trouver. Le visiteur n’apprend "
            "presque rien, alors que des dizaines de morceaux lui étaient permis.",
            "en": "To filter afterwards is to search without knowing what may be found. The visitor learns next to "
            "nothing, although dozens of chunks were allowed.",
        },
    ),
)
