"""The questions and predictions of chapter 08."""

from ragteach.checking.exercise import Choice, Prediction, Question

QUIZ = (
    Question(
        "hnsw.q_layers",
        {
            "fr": "À quoi servent les étages du haut ?",
            "en": "What are the upper layers for?",
        },
        (
            Choice(
                {
                    "fr": "À garder une copie de sécurité des vecteurs.",
                    "en": "To keep a back-up copy of the vectors.",
                },
                False,
                {
                    "fr": "Les étages ne contiennent que des liens ; chaque vecteur n’existe qu’une fois.",
                    "en": "Layers hold links only; each vector exists once.",
                },
            ),
            Choice(
                {
                    "fr": "À traverser l’espace en peu de pas, avant de chercher finement en bas.",
                    "en": "To cross the space in few steps, before searching finely at the bottom.",
                },
                True,
                {
                    "fr": "Oui : peu de nœuds, donc des liens longs. Chaque étage amène près du but, et l’étage 0 "
                    "finit le travail.",
                    "en": "Yes: few nodes, hence long links. Each layer brings us close to the goal, and layer 0 "
                    "finishes the job.",
                },
            ),
            Choice(
                {
                    "fr": "À ranger les vecteurs les plus importants.",
                    "en": "To hold the most important vectors.",
                },
                False,
                {
                    "fr": "L’étage d’un nœud est tiré au sort, sans regarder le vecteur.",
                    "en": "A node's layer is drawn at random, without a look at its vector.",
                },
            ),
        ),
    ),
    Question(
        "hnsw.q_ef",
        {
            "fr": "Votre index est construit. Le rappel mesuré est trop bas. Que changez-vous d’abord ?",
            "en": "Your index is built. The recall that you measure is too low. What do you change first?",
        },
        (
            Choice(
                {"fr": "M, le nombre de liens.", "en": "M, the number of links."},
                False,
                {
                    "fr": "M se fixe à la construction : il faudrait tout reconstruire. Essayez d’abord ce qui est "
                    "gratuit.",
                    "en": "M is fixed when the graph is built: you would have to build it anew. Try first what costs "
                    "nothing.",
                },
            ),
            Choice(
                {"fr": "efConstruction.", "en": "efConstruction."},
                False,
                {
                    "fr": "Lui aussi n’agit qu’à la construction.",
                    "en": "This too acts only while the graph is built.",
                },
            ),
            Choice(
                {"fr": "efSearch.", "en": "efSearch."},
                True,
                {
                    "fr": "Oui : il se règle à chaque question, sans rien reconstruire. Plus il est grand, plus on "
                    "trouve et plus on calcule.",
                    "en": "Yes: it is set query by query, without building anything. The larger it is, the more you "
                    "find and the more you compute.",
                },
            ),
            Choice(
                {"fr": "La graine du tirage des étages.", "en": "The seed with which layers are drawn."},
                False,
                {
                    "fr": "Une autre graine donne un autre graphe, ni meilleur ni pire en moyenne.",
                    "en": "Another seed gives another graph, neither better nor worse on average.",
                },
            ),
        ),
    ),
    Question(
        "hnsw.q_heuristic",
        {
            "fr": "Pourquoi ne pas relier chaque nœud à ses m plus proches, tout simplement ?",
            "en": "Why not simply link each node with its m nearest?",
        },
        (
            Choice(
                {
                    "fr": "Parce que des grappes éloignées ne seraient plus reliées entre elles.",
                    "en": "Because clusters far apart would no longer be linked with each other.",
                },
                True,
                {
                    "fr": "Oui : dans une grappe serrée, les m plus proches sont tous dans la grappe. L’heuristique "
                    "n’en garde qu’un par direction, et laisse de la place à un lien vers l’extérieur.",
                    "en": "Yes: in a dense cluster the m nearest all belong to the cluster. The heuristic keeps one a "
                    "direction, and leaves room for a link that leads out.",
                },
            ),
            Choice(
                {
                    "fr": "Parce que les trouver exactement serait trop long.",
                    "en": "Because to find them exactly would take too long.",
                },
                False,
                {
                    "fr": "On ne les cherche pas exactement : on choisit parmi les efConstruction nœuds trouvés. Le "
                    "problème vient du choix lui-même.",
                    "en": "They are not looked for exactly: one chooses among the efConstruction nodes found. The "
                    "trouble lies in the choice itself.",
                },
            ),
            Choice(
                {
                    "fr": "Parce que cela prendrait plus de mémoire.",
                    "en": "Because it would take more memory.",
                },
                False,
                {
                    "fr": "Au contraire : la borne sur le nombre de liens est la même.",
                    "en": "The bound on the number of links is the same in both cases.",
                },
            ),
        ),
    ),
    Question(
        "hnsw.q_delete",
        {
            "fr": "On supprime un document. Pourquoi son nœud reste-t-il d’ordinaire dans le graphe ?",
            "en": "A document is deleted. Why does its node usually stay in the graph?",
        },
        (
            Choice(
                {
                    "fr": "Pour pouvoir annuler la suppression.",
                    "en": "So that the deletion can be undone.",
                },
                False,
                {
                    "fr": "C’est un effet possible, pas la raison.",
                    "en": "That may be a side effect; it is not the reason.",
                },
            ),
            Choice(
                {
                    "fr": "Parce que le vecteur ne peut pas être effacé d’un tableau.",
                    "en": "Because a vector cannot be erased from an array.",
                },
                False,
                {
                    "fr": "On pourrait l’effacer ; ce sont les liens qui passent par lui qui manqueraient.",
                    "en": "It could be erased; what would be missed are the links that pass through it.",
                },
            ),
            Choice(
                {
                    "fr": "Parce que la loi oblige à garder les données.",
                    "en": "Because the law requires data to be kept.",
                },
                False,
                {
                    "fr": "C’est plutôt l’inverse : un droit à l’effacement oblige à reconstruire l’index ensuite.",
                    "en": "Rather the opposite: a right to erasure obliges you to rebuild the index afterwards.",
                },
            ),
            Choice(
                {
                    "fr": "Parce que d’autres nœuds ne sont atteints qu’en passant par lui.",
                    "en": "Because other nodes are reached only through it.",
                },
                True,
                {
                    "fr": "Oui : on le traverse sans le rendre. Quand il y en a trop, on reconstruit.",
                    "en": "Yes: it is walked through and never returned. When there are too many such nodes, the index "
                    "is rebuilt.",
                },
            ),
        ),
    ),
    Question(
        "hnsw.q_recall",
        {
            "fr": "« Notre index HNSW a un rappel@10 de 0,98. » Qu’est-ce que cela dit des réponses du RAG ?",
            "en": '"Our HNSW index has a recall@10 of 0.98." What does that say about the answers of the RAG?',
        },
        (
            Choice(
                {
                    "fr": "98 % des questions reçoivent le bon passage.",
                    "en": "98% of the questions get the right passage.",
                },
                False,
                {
                    "fr": "Ce rappel-là compare à la recherche exacte, pas aux passages qui répondent.",
                    "en": "That recall compares with exact search, not with the passages that answer.",
                },
            ),
            Choice(
                {
                    "fr": "L’index perd 2 % de ce que la recherche exacte aurait trouvé, bon ou mauvais.",
                    "en": "The index loses 2% of what exact search would have found, good or bad.",
                },
                True,
                {
                    "fr": "Oui. Le rappel total est à peu près le produit des deux : celui de l’index et celui du "
                    "modèle de plongement. Mesurez les deux.",
                    "en": "Yes. Total recall is roughly the product of two: the index's and the embedding model's. "
                    "Measure both.",
                },
            ),
            Choice(
                {
                    "fr": "Rien : il faut connaître le temps de réponse.",
                    "en": "Nothing, unless you know the response time.",
                },
                False,
                {
                    "fr": "Le temps dit le prix payé ; le rappel de l’index dit ce que l’on perd. Les deux comptent.",
                    "en": "Time tells the price paid; the index's recall tells what is lost. Both count.",
                },
            ),
        ),
    ),
)

PREDICTIONS = (
    Prediction(
        "hnsw.p_line",
        {
            "fr": "Mille personnes se tiennent sur une file, et chacune ne connaît que ses deux voisins. Combien de "
            "personnes un message traverse-t-il, en moyenne, d’une personne au hasard à une autre ?",
            "en": "A thousand people stand in a line, and each knows only the two next to them. How many people does a "
            "message pass through, on average, from one person at random to another?",
        },
        (
            {"fr": "une dizaine", "en": "about ten"},
            {"fr": "une centaine", "en": "about a hundred"},
            {"fr": "plus de trois cents", "en": "more than three hundred"},
        ),
        {
            "fr": "Deux places au hasard sont séparées par un tiers de la file en moyenne. Le nombre de pas grandit "
            "comme le nombre de personnes : voilà ce que des liens longs vont changer.",
            "en": "Two places at random are a third of the line apart, on average. The number of steps grows like the "
            "number of people: that is what long links are going to change.",
        },
    ),
    Prediction(
        "hnsw.p_hollow",
        {
            "fr": "Un glouton marche de voisin en voisin tant qu’il se rapproche. Arrive-t-il toujours au plus proche "
            "de tous ?",
            "en": "A greedy walker goes from neighbour to neighbour as long as that brings it nearer. Does it always "
            "arrive at the nearest of all?",
        },
        (
            {"fr": "Oui, puisqu’il se rapproche à chaque pas.", "en": "Yes, since every step brings it nearer."},
            {
                "fr": "Oui, si l’on peut atteindre tous les nœuds.",
                "en": "Yes, if all nodes can be reached.",
            },
            {
                "fr": "Non, même quand tous les nœuds peuvent être atteints.",
                "en": "No, even where all nodes can be reached.",
            },
        ),
        {
            "fr": "Il s’arrête dès qu’aucun voisin n’est plus proche que lui : dans un creux. Le but peut être à "
            "quelques pas, derrière un nœud qui éloigne d’abord.",
            "en": "It stops as soon as no neighbour is nearer than itself: in a hollow. The goal may be a few steps "
            "away, behind a node that first leads farther off.",
        },
    ),
    Prediction(
        "hnsw.p_levels",
        {
            "fr": "On tire l’étage de 10 000 nœuds avec m = 16. Combien montent à l’étage 1 ou plus haut ?",
            "en": "The layers of 10,000 nodes are drawn with m = 16. How many climb to layer 1 or higher?",
        },
        (
            {"fr": "environ 5 000", "en": "about 5,000"},
            {"fr": "environ 600", "en": "about 600"},
            {"fr": "environ 40", "en": "about 40"},
        ),
        {
            "fr": "Un sur m : la probabilité que −ln(u)/ln(m) dépasse 1 est celle que u soit inférieur à 1/m. Un sur "
            "m² monte à l’étage 2, et ainsi de suite.",
            "en": "One in m: -ln(u)/ln(m) exceeds 1 when u is below 1/m, and the probability of that is 1/m. One in m² "
            "climbs to layer 2, and so on.",
        },
    ),
    Prediction(
        "hnsw.p_growth",
        {
            "fr": "On passe de 1 000 à 100 000 vecteurs, cent fois plus. Par combien le nombre de distances d’une "
            "recherche HNSW est-il multiplié, environ ?",
            "en": "We go from 1,000 to 100,000 vectors, a hundred times as many. By how much, roughly, is the number "
            "of distances of an HNSW search multiplied?",
        },
        (
            {"fr": "par 100", "en": "by 100"},
            {"fr": "par 10", "en": "by 10"},
            {"fr": "par 2", "en": "by 2"},
        ),
        {
            "fr": "La recherche exacte est multipliée par 100. HNSW suit à peu près le logarithme de N, qui, de 1 000 "
            "à 100 000, n’est multiplié que par 5/3.",
            "en": "Exact search is multiplied by 100. HNSW roughly follows the logarithm of N, which from 1,000 to "
            "100,000 is multiplied by 5/3 only.",
        },
    ),
)
