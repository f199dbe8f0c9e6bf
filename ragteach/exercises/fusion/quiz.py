"""The chapter's questions and predictions."""

from ragteach.checking.exercise import Choice, Prediction, Question

QUIZ = (
    Question(
        "fusion.q_why",
        {
            "fr": "Pourquoi fusionner BM25 et une recherche dense, plutôt que de garder la meilleure des deux ?",
            "en": "Why fuse BM25 and a dense search, rather than keep the better of the two?",
        },
        (
            Choice(
                {
                    "fr": "Parce que la fusion bat toujours ses deux membres.",
                    "en": "Because the fusion always beats both of its members.",
                },
                False,
                {
                    "fr": "Non : quand l’un des deux est nettement plus fort, la fusion peut faire moins bien que lui. "
                    "Cela se mesure.",
                    "en": "No: where one of the two is clearly stronger, the fusion may do worse than it alone. "
                    "Measure.",
                },
            ),
            Choice(
                {
                    "fr": "Parce qu’elles échouent sur des questions différentes : codes exacts pour l’une, "
                    "reformulations pour l’autre.",
                    "en": "Because they fail on different questions: exact codes for one, other wordings for the "
                    "other.",
                },
                True,
                {
                    "fr": "Oui : ce que l’une manque, l’autre l’apporte. C’est surtout le rappel parmi les candidats "
                    "qui y gagne.",
                    "en": "Yes: what one misses, the other brings. It is above all recall among the candidates that "
                    "gains.",
                },
            ),
            Choice(
                {
                    "fr": "Parce que la recherche dense ne sait rien faire seule.",
                    "en": "Because a dense search can do nothing on its own.",
                },
                False,
                {
                    "fr": "Elle fait très bien seule sur les reformulations ; elle est plus faible sur les noms rares "
                    "et les codes.",
                    "en": "It does well on its own with other wordings; rare names and codes are where it is weak.",
                },
            ),
            Choice(
                {
                    "fr": "Pour que les scores deviennent des probabilités.",
                    "en": "To turn the scores into probabilities.",
                },
                False,
                {
                    "fr": "Aucune des deux n’en donne, et leur fusion non plus : elle donne un ordre.",
                    "en": "Neither gives any, nor does their fusion: it gives an order.",
                },
            ),
        ),
    ),
    Question(
        "fusion.q_scale",
        {
            "fr": "Demain, votre moteur lexical renvoie le carré de ses scores (tous positifs). Que devient la fusion "
            "par RRF ?",
            "en": "From tomorrow on your lexical engine returns the squares of its scores (all positive). What becomes "
            "of the fusion by RRF?",
        },
        (
            Choice(
                {
                    "fr": "Elle donne plus de poids au lexical, dont les scores ont grandi.",
                    "en": "It gives more weight to the lexical list, whose scores have grown.",
                },
                False,
                {
                    "fr": "C’est ce qui arriverait à une somme de scores. RRF ne lit que les rangs.",
                    "en": "That would happen to a sum of scores. RRF reads ranks only.",
                },
            ),
            Choice(
                {
                    "fr": "Elle change un peu : il faut régler k de nouveau.",
                    "en": "It changes a little: k has to be set again.",
                },
                False,
                {
                    "fr": "k agit sur des rangs, et les rangs n’ont pas bougé.",
                    "en": "k acts on ranks, and the ranks have not moved.",
                },
            ),
            Choice(
                {"fr": "Rien ne change.", "en": "Nothing changes."},
                True,
                {
                    "fr": "Oui, c’est le théorème 4 : sur des nombres positifs, le carré est strictement croissant, "
                    "donc il garde les rangs.",
                    "en": "Yes, by theorem 4: on positive numbers the square is strictly increasing, so it keeps the "
                    "ranks.",
                },
            ),
        ),
    ),
    Question(
        "fusion.q_k",
        {
            "fr": "Avec k = 60, un document est 10e dans les deux listes ; un autre est 1er, mais dans une seule. Qui "
            "passe devant ?",
            "en": "With k = 60, one document is 10th in both lists; another is 1st, in one list only. Which comes "
            "first?",
        },
        (
            Choice(
                {"fr": "Le premier d’une seule liste.", "en": "The one that is first in a single list."},
                False,
                {
                    "fr": "Il reçoit 1/61, environ 0,016 ; l’autre reçoit 2/70, environ 0,029.",
                    "en": "It gets 1/61, about 0.016; the other gets 2/70, about 0.029.",
                },
            ),
            Choice(
                {"fr": "Celui des deux listes.", "en": "The one that both lists hold."},
                True,
                {
                    "fr": "Oui : 2/(k + r) dépasse 1/(k + 1) tant que r < k + 2. Un grand k fait confiance à l’accord.",
                    "en": "Yes: 2/(k + r) exceeds 1/(k + 1) as long as r < k + 2. A large k trusts agreement.",
                },
            ),
            Choice(
                {
                    "fr": "On ne peut pas le dire sans connaître les scores.",
                    "en": "Nobody can tell without the scores.",
                },
                False,
                {
                    "fr": "RRF n’en a pas besoin : les rangs suffisent.",
                    "en": "RRF does not need them: the ranks are enough.",
                },
            ),
        ),
    ),
    Question(
        "fusion.q_rerank",
        {
            "fr": "Vous reclassez les 10 premiers résultats avec un excellent cross-encodeur. Que peut-il arriver ?",
            "en": "You rerank the first 10 results with an excellent cross-encoder. What may happen?",
        },
        (
            Choice(
                {
                    "fr": "Le rappel@10 monte, car le modèle est meilleur.",
                    "en": "Recall@10 goes up, since the model is better.",
                },
                False,
                {
                    "fr": "Ce sont les mêmes dix documents, dans un autre ordre : le rappel@10 est le même, au "
                    "centième près et au-delà.",
                    "en": "They are the same ten documents in another order: recall@10 stays the same, to the last "
                    "digit.",
                },
            ),
            Choice(
                {
                    "fr": "Un document classé 12e peut revenir en tête.",
                    "en": "A document at rank 12 may come to the top.",
                },
                False,
                {
                    "fr": "Il n’a pas été lu : un reclasseur n’ajoute aucun candidat.",
                    "en": "It was never read: a reranker adds no candidate.",
                },
            ),
            Choice(
                {
                    "fr": "La recherche devient plus rapide.",
                    "en": "The search gets faster.",
                },
                False,
                {
                    "fr": "Au contraire : il y a dix lectures de plus, une par couple question-passage.",
                    "en": "On the contrary: there are ten more readings, one for each pair of question and passage.",
                },
            ),
            Choice(
                {
                    "fr": "Le MRR monte, et le rappel@10 ne bouge pas.",
                    "en": "MRR goes up, and recall@10 does not move.",
                },
                True,
                {
                    "fr": "Oui : reclasser met de l’ordre parmi les candidats. Pour le rappel, voyez la première "
                    "étape.",
                    "en": "Yes: reranking puts the candidates in order. For recall, look at the first stage.",
                },
            ),
        ),
    ),
    Question(
        "fusion.q_mmr",
        {
            "fr": "Vos cinq extraits disent tous la même chose, en fenêtres qui se recouvrent. Que faites-vous de "
            "lambda, dans MMR ?",
            "en": "Your five passages all say the same, in windows that overlap. What do you do with lambda in MMR?",
        },
        (
            Choice(
                {"fr": "Je le baisse un peu.", "en": "I lower it a little."},
                True,
                {
                    "fr": "Oui : moins de poids à la pertinence, plus à la nouveauté. Pas jusqu’à 0, où l’on finit par "
                    "montrer n’importe quoi d’original.",
                    "en": "Yes: less weight on relevance, more on novelty. Not down to 0, where anything original will "
                    "do.",
                },
            ),
            Choice(
                {"fr": "Je le monte vers 1.", "en": "I raise it towards 1."},
                False,
                {
                    "fr": "À 1, c’est le classement simple, celui qui se répète.",
                    "en": "At 1 it is the plain ranking, the very one that repeats itself.",
                },
            ),
            Choice(
                {
                    "fr": "Rien : MMR ne regarde que la question.",
                    "en": "Nothing: MMR looks at the question only.",
                },
                False,
                {
                    "fr": "MMR compare aussi les passages entre eux : c’est sa raison d’être.",
                    "en": "MMR compares the passages with one another as well: that is what it is for.",
                },
            ),
        ),
    ),
    Question(
        "fusion.q_case",
        {
            "fr": "Un assistant répond mal. La trace montre que le bon article est trouvé, au rang 14 ; le modèle lit "
            "les 8 premiers. Par quoi commencer ?",
            "en": "An assistant answers badly. Its trace shows that the right article is found, at rank 14; the model "
            "reads the first 8. Where do you begin?",
        },
        (
            Choice(
                {"fr": "Réécrire la consigne du modèle.", "en": "Rewrite the model's instructions."},
                False,
                {
                    "fr": "Le modèle n’a pas lu l’article : aucune consigne n’y changera rien.",
                    "en": "The model never read the article: no instruction can change that.",
                },
            ),
            Choice(
                {"fr": "Lui donner 40 extraits au lieu de 8.", "en": "Give it 40 passages instead of 8."},
                False,
                {
                    "fr": "L’article y serait, noyé parmi 39 autres : plus de bruit, plus de coût, moins de fidélité.",
                    "en": "The article would be there, lost among 39 others: more noise, more cost, less faithfulness.",
                },
            ),
            Choice(
                {
                    "fr": "Ajouter ou régler le reclassement.",
                    "en": "Add a reranker, or tune the one in place.",
                },
                True,
                {
                    "fr": "Oui : trouvé mais mal classé, c’est un problème d’ordre. Reclassez 40 candidats, gardez-en "
                    "8.",
                    "en": "Yes: found but ranked badly is a problem of order. Rerank 40 candidates, keep 8.",
                },
            ),
            Choice(
                {
                    "fr": "Affiner (fine-tuning) le modèle sur les articles.",
                    "en": "Fine-tune the model on the articles.",
                },
                False,
                {
                    "fr": "L’affinage règle le style, mal les faits, qui de plus changent chaque semaine.",
                    "en": "Fine-tuning sets a style; facts it learns badly, and they change every week.",
                },
            ),
        ),
    ),
)

PREDICTIONS = (
    Prediction(
        "fusion.outlier",
        {
            "fr": "A devance B dans la somme des scores ramenés entre 0 et 1. On ajoute un document D, que BM25 "
            "adore ; ni A ni B ne changent. Que devient l’ordre de A et de B ?",
            "en": "A is ahead of B in the sum of scores brought into the range 0 to 1. A document D is added, which "
            "BM25 loves; neither A nor B changes. What about the order of A and B?",
        },
        (
            {"fr": "Il ne change pas.", "en": "It stays as it is."},
            {"fr": "Il peut s’inverser.", "en": "It may be reversed."},
            {"fr": "Ils finissent à égalité.", "en": "They end up level."},
        ),
        {
            "fr": "L’échelle a changé : D vaut 1, et les notes BM25 de A et de B sont écrasées vers 0. Un document qui "
            "n’a rien à voir avec eux a décidé de leur ordre.",
            "en": "The scale has changed: D is 1, and the BM25 scores of A and B are squeezed towards 0. A document "
            "that has nothing to do with them has decided their order.",
        },
    ),
    Prediction(
        "fusion.twice",
        {
            "fr": "Avec k = 60, quel rang dans les deux listes suffit encore pour battre le premier d’une seule "
            "liste ?",
            "en": "With k = 60, which rank in both lists is still enough to beat the first of a single list?",
        },
        (
            {"fr": "le 2e, pas plus loin", "en": "2nd, no further"},
            {"fr": "le 10e environ", "en": "about 10th"},
            {"fr": "le 30e environ", "en": "about 30th"},
            {"fr": "le 61e", "en": "61st"},
        ),
        {
            "fr": "2/(k + r) > 1/(k + 1) se lit aussi r < k + 2. Avec k = 60, l’accord l’emporte jusqu’au rang 61 : k "
            "est la profondeur jusqu’à laquelle on croit l’accord.",
            "en": "2/(k + r) > 1/(k + 1) also reads r < k + 2. With k = 60 agreement wins down to rank 61: k is the "
            "depth to which agreement is believed.",
        },
    ),
    Prediction(
        "fusion.best_of_two",
        {
            "fr": "La fusion de BM25 et de LSA, sur nos questions, jugée au MRR : où va-t-elle se placer ?",
            "en": "The fusion of BM25 and LSA, on our questions, judged by MRR: where will it stand?",
        },
        (
            {"fr": "loin devant les deux", "en": "far ahead of both"},
            {"fr": "près du meilleur des deux", "en": "near the better of the two"},
            {"fr": "loin derrière les deux", "en": "far behind both"},
        ),
        {
            "fr": "Fusionner, c’est faire la moyenne de deux avis : on reste près du meilleur des deux, sans avoir eu "
            "à savoir lequel c’était. Une assurance, pas un gain promis.",
            "en": "To fuse is to average two opinions: the result stays near the better of the two, and nobody had to "
            "know which one that was. An insurance, not a promised gain.",
        },
    ),
    Prediction(
        "fusion.rerank_recall",
        {
            "fr": "On reclasse les 10 premiers candidats de la fusion. Que fera le rappel@10 ?",
            "en": "The first 10 candidates of the fusion are reranked. What will recall@10 do?",
        },
        (
            {"fr": "monter nettement", "en": "go up clearly"},
            {"fr": "monter un peu", "en": "go up a little"},
            {"fr": "ne pas bouger du tout", "en": "not move at all"},
            {"fr": "baisser", "en": "go down"},
        ),
        {
            "fr": "Les mêmes dix documents, dans un autre ordre : le rappel@10 est identique, par construction. "
            "Reclasser n’ajoute aucun candidat.",
            "en": "The same ten documents in another order: recall@10 is identical, by construction. Reranking adds no "
            "candidate.",
        },
    ),
)
