"""Chapter 07: what the lesson asks, before a cell runs and at the end."""

from ragteach.checking.exercise import Choice, Prediction, Question

QUIZ = (
    Question(
        "pq.q_kept",
        {
            "fr": "Un index PQ à M = 8 sous-espaces et K = 256 mots tient un million de vecteurs. Que garde-t-il "
            "pour chaque vecteur ?",
            "en": "A PQ index with M = 8 subspaces and K = 256 codewords holds a million vectors. What does it "
            "keep for each vector?",
        },
        (
            Choice(
                {
                    "fr": "Huit numéros d’un octet ; les mots de code sont rangés une seule fois, pour tous.",
                    "en": "Eight numbers of one byte; codewords are stored once, for all.",
                },
                True,
                {
                    "fr": "Oui : 8 Mo de codes, et un dictionnaire dont la taille ne dépend pas du nombre de vecteurs.",
                    "en": "Yes: 8 MB of codes, and codebooks whose size does not depend on how many vectors there are.",
                },
            ),
            Choice(
                {
                    "fr": "Huit mots de code, des petits vecteurs de d/8 nombres.",
                    "en": "Eight codewords, small vectors of d/8 numbers.",
                },
                False,
                {
                    "fr": "Mis bout à bout, ils prendraient autant de place que le vecteur lui-même. On ne garde "
                    "que leurs numéros.",
                    "en": "End to end, they would take as much room as the vector itself. Only their numbers are kept.",
                },
            ),
            Choice(
                {
                    "fr": "Ses 256 distances aux mots de code.",
                    "en": "Its 256 distances to the codewords.",
                },
                False,
                {
                    "fr": "Les distances dépendent de la question : elles se calculent à la demande, dans la table.",
                    "en": "Distances depend on the query: they are computed on demand, in the table.",
                },
            ),
        ),
    ),
    Question(
        "pq.q_product",
        {
            "fr": "Pourquoi parle-t-on de quantification « produit » ?",
            "en": "Why is it called product quantization?",
        },
        (
            Choice(
                {
                    "fr": "Parce que l’on compare les vecteurs par produit scalaire.",
                    "en": "Because vectors are compared by inner product.",
                },
                False,
                {
                    "fr": "On les compare ici par distance au carré. Le mot vient d’ailleurs.",
                    "en": "They are compared by squared distance here. The word comes from elsewhere.",
                },
            ),
            Choice(
                {
                    "fr": "Parce que l’on multiplie la distance de chaque morceau.",
                    "en": "Because the distances of the pieces are multiplied.",
                },
                False,
                {
                    "fr": "Elles s’additionnent : c’est le théorème de Pythagore.",
                    "en": "They are added up: that is Pythagoras' theorem.",
                },
            ),
            Choice(
                {
                    "fr": "Parce que les vecteurs décodés forment le produit cartésien des dictionnaires : K × K "
                    "× … × K.",
                    "en": "Because decoded vectors form the Cartesian product of the codebooks: K × K × ... × K.",
                },
                True,
                {
                    "fr": "Oui : huit dictionnaires de 256 mots font 256⁸ vecteurs possibles, pour 2 048 petits "
                    "mots appris.",
                    "en": "Yes: eight codebooks of 256 codewords make 256⁸ possible vectors out of 2,048 short "
                    "codewords.",
                },
            ),
        ),
    ),
    Question(
        "pq.q_asymmetric",
        {
            "fr": "Dans la distance asymétrique, la question n’est pas codée. Pourquoi ?",
            "en": "In the asymmetric distance, the query is not coded. Why?",
        },
        (
            Choice(
                {
                    "fr": "La coder prendrait trop de mémoire.",
                    "en": "Coding it would take too much memory.",
                },
                False,
                {
                    "fr": "La coder en prendrait moins ! Mais il n’y en a qu’une : sa taille ne compte pas.",
                    "en": "Coding it would take less! But there is one query only: its size does not matter.",
                },
            ),
            Choice(
                {
                    "fr": "La coder ajouterait son erreur à celle des vecteurs, sans rien faire gagner.",
                    "en": "Coding it would add its own error to that of the vectors, and gain nothing.",
                },
                True,
                {
                    "fr": "Oui : la table coûte autant dans les deux cas, et la réponse est plus juste.",
                    "en": "Yes: the table costs the same either way, and the answer is more accurate.",
                },
            ),
            Choice(
                {
                    "fr": "Les mots de code ont été appris sur les documents, on ne peut pas y projeter une question.",
                    "en": "Codewords were learnt on documents, and a query cannot be projected onto them.",
                },
                False,
                {
                    "fr": "On le peut : elle a la même dimension. On y perdrait seulement de la justesse.",
                    "en": "It can: it has the same dimensions. Only accuracy would be lost.",
                },
            ),
        ),
    ),
    Question(
        "pq.q_drift",
        {
            "fr": "Les dictionnaires ont été appris l’an dernier. Un nouveau département verse ses documents, "
            "d’un tout autre sujet. Que se passe-t-il ?",
            "en": "The codebooks were learnt last year. A new department adds its documents, on quite another "
            "subject. What happens?",
        },
        (
            Choice(
                {
                    "fr": "Les codes prennent plus de place.",
                    "en": "Codes take more room.",
                },
                False,
                {
                    "fr": "Un code reste un octet. C’est l’erreur qui grandit, sans bruit.",
                    "en": "A code stays one byte. It is the error that grows, without a sound.",
                },
            ),
            Choice(
                {
                    "fr": "Rien : la quantification ne dépend pas du contenu.",
                    "en": "Nothing: quantization does not depend on content.",
                },
                False,
                {
                    "fr": "Les mots de code sont des moyennes de ce que l’on avait. Ce qui est nouveau en est loin.",
                    "en": "Codewords are means of what there was. What is new lies far from them.",
                },
            ),
            Choice(
                {
                    "fr": "Une erreur survient : les nouveaux vecteurs n’ont pas de code.",
                    "en": "An error occurs: the new vectors have no code.",
                },
                False,
                {
                    "fr": "Il y a toujours un mot le plus proche, même très loin. C’est pourquoi rien n’avertit.",
                    "en": "There is always a nearest codeword, however far. That is why nothing warns you.",
                },
            ),
            Choice(
                {
                    "fr": "L’erreur de codage des nouveaux vecteurs est plus grande, et leur rappel baisse.",
                    "en": "The coding error of the new vectors is larger, and their recall falls.",
                },
                True,
                {
                    "fr": "Oui. Mesurez l’erreur des nouveaux venus, et réapprenez les dictionnaires quand elle "
                    "monte ; il faut alors tout recoder.",
                    "en": "Yes. Measure the error of newcomers, and learn new codebooks when it rises; all "
                    "vectors must then be coded again.",
                },
            ),
        ),
    ),
    Question(
        "pq.q_rerank",
        {
            "fr": "Avec PQ, le rappel@10 est de 0,80 ; mais les dix vrais voisins sont presque toujours parmi les "
            "50 premiers. Que faites-vous d’abord ?",
            "en": "With PQ, recall@10 is 0.80, but the ten true neighbours are nearly always among the first 50. "
            "What do you do first?",
        },
        (
            Choice(
                {
                    "fr": "Je prends les 50 premiers et je les reclasse avec les vecteurs d’origine, gardés sur "
                    "disque.",
                    "en": "Take the first 50 and rerank them with the original vectors, kept on disk.",
                },
                True,
                {
                    "fr": "Oui : cinquante lectures et cinquante produits par question, et le rappel revient "
                    "presque à 1. Les codes restent seuls en mémoire vive.",
                    "en": "Yes: fifty reads and fifty products a query, and recall comes back to nearly 1. Codes "
                    "alone stay in main memory.",
                },
            ),
            Choice(
                {
                    "fr": "Je reviens aux float32 en mémoire vive.",
                    "en": "Go back to float32 in main memory.",
                },
                False,
                {
                    "fr": "C’est payer seize ou trente-deux fois plus de mémoire pour un problème que cinquante "
                    "lectures résolvent.",
                    "en": "That is paying sixteen or thirty-two times the memory for a problem that fifty reads solve.",
                },
            ),
            Choice(
                {
                    "fr": "J’apprends les dictionnaires plus longtemps.",
                    "en": "Learn the codebooks for longer.",
                },
                False,
                {
                    "fr": "Après une vingtaine de tours, k-means ne gagne presque plus rien.",
                    "en": "After some twenty rounds, k-means gains next to nothing.",
                },
            ),
        ),
    ),
)

PREDICTIONS = (
    Prediction(
        "pq.int8",
        {
            "fr": "Chaque nombre passe de quatre octets à un seul. Combien de voisins exacts retrouve-t-on encore "
            "parmi dix, en moyenne ?",
            "en": "Each number goes from four bytes to one. How many of ten exact neighbours are still found, on "
            "average?",
        },
        (
            {
                "fr": "presque tous les dix",
                "en": "nearly all ten",
            },
            {
                "fr": "huit environ",
                "en": "about eight",
            },
            {
                "fr": "cinq environ",
                "en": "about five",
            },
        ),
        {
            "fr": "Un pas d’un 127e est très fin devant les écarts entre voisins : l’octet suffit presque "
            "toujours. C’est la compression à essayer en premier.",
            "en": "A step of 1/127 is very fine beside the gaps between neighbours: one byte is nearly always "
            "enough. It is the compression to try first.",
        },
    ),
    Prediction(
        "pq.two_bits",
        {
            "fr": "Continuons : deux bits par nombre, soit trois valeurs possibles (−, 0, +), huit octets par "
            "vecteur. Que devient le rappel@10 ?",
            "en": "Let us go on: two bits a number, that is three possible values (-, 0, +), eight bytes a "
            "vector. What becomes of recall@10?",
        },
        (
            {
                "fr": "environ 0,8",
                "en": "about 0.8",
            },
            {
                "fr": "environ 0,5",
                "en": "about 0.5",
            },
            {
                "fr": "moins de 0,3",
                "en": "less than 0.3",
            },
        ),
        {
            "fr": "Le pas suit le plus grand nombre de la dimension : presque tous les autres tombent à 0. "
            "Arrondir chaque nombre de son côté ne mène pas plus loin.",
            "en": "The step follows the greatest number of its dimension, so that nearly all others fall to 0. "
            "Rounding each number on its own leads no further.",
        },
    ),
    Prediction(
        "pq.eight_bytes",
        {
            "fr": "Mêmes huit octets par vecteur, mais dépensés autrement : un octet pour quatre nombres à la "
            "fois, qui désigne l’un de 256 mots appris. Que vaut le rappel@10 ?",
            "en": "The same eight bytes a vector, spent in another way: one byte for four numbers at once, "
            "pointing to one of 256 codewords that were learnt. What is recall@10?",
        },
        (
            {
                "fr": "toujours moins de 0,3",
                "en": "still less than 0.3",
            },
            {
                "fr": "environ 0,8",
                "en": "about 0.8",
            },
            {
                "fr": "1, ou presque",
                "en": "1, or nearly",
            },
        ),
        {
            "fr": "Les mots sont placés là où il y a des vecteurs, et quatre nombres qui vont ensemble se "
            "décrivent ensemble. À mémoire égale, la différence est énorme.",
            "en": "Codewords stand where vectors are, and four numbers that go together are described together. "
            "At the same memory, the difference is huge.",
        },
    ),
    Prediction(
        "pq.rerank",
        {
            "fr": "Un reclassement : PQ (huit octets) propose 50 candidats, que l’on reclasse par leurs vecteurs "
            "exacts, lus sur disque. Que devient le rappel@10 ?",
            "en": "Reranking: PQ (eight bytes) proposes 50 candidates, which are reranked by their exact vectors, "
            "read from disk. What becomes of recall@10?",
        },
        (
            {
                "fr": "il ne change pas",
                "en": "it does not change",
            },
            {
                "fr": "il gagne quelques centièmes",
                "en": "it gains a few hundredths",
            },
            {
                "fr": "il remonte presque à 1",
                "en": "it comes back to nearly 1",
            },
        ),
        {
            "fr": "PQ confond des voisins proches, mais ne les envoie pas loin : parmi cinquante, ils y sont "
            "presque tous.",
            "en": "PQ mixes up close neighbours but does not send them far: nearly all are among the fifty.",
        },
    ),
)
