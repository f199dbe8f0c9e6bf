"""The chapter's questions and predictions."""

from ragteach.checking.exercise import Choice, Prediction, Question

QUIZ = (
    Question(
        "metrics.q_lever",
        {
            "fr": "Votre RAG donne 55 % de bonnes réponses. Le rappel@5 de la recherche est de 60 %. Quel est le "
            "levier prioritaire ?",
            "en": "Your RAG gives 55% right answers. The search has a recall@5 of 60%. Which lever comes first?",
        },
        (
            Choice(
                {"fr": "Un modèle de langage plus grand.", "en": "A larger language model."},
                False,
                {
                    "fr": "Quatre fois sur dix, le passage n’est pas dans le contexte. Le meilleur modèle ne peut pas "
                    "lire ce qu’on ne lui donne pas : même parfait, il resterait vers 60 %.",
                    "en": "Four times out of ten the passage is not in the context. The best model cannot read what it "
                    "is not given: even a perfect one would stay near 60%.",
                },
            ),
            Choice(
                {"fr": "Un prompt plus strict.", "en": "A stricter prompt."},
                False,
                {
                    "fr": "Il peut rendre les refus plus propres, mais il ne fait pas venir le bon passage.",
                    "en": "It may make refusals cleaner, but it does not bring the right passage in.",
                },
            ),
            Choice(
                {
                    "fr": "La recherche : découpage, hybride, reclassement, réécriture.",
                    "en": "The search: chunking, hybrid, reranking, rewriting.",
                },
                True,
                {
                    "fr": "Oui. 55 % est déjà tout près du plafond que fixent 60 % de rappel (théorème 3) : le modèle "
                    "fait presque tout ce qu’il peut avec ce qu’il reçoit.",
                    "en": "Yes. 55% is already close to the ceiling that a recall of 60% sets (theorem 3): the model "
                    "does nearly all it can with what it is given.",
                },
            ),
            Choice(
                {"fr": "Plus de questions dans le jeu d’évaluation.", "en": "More questions in the evaluation set."},
                False,
                {
                    "fr": "Elles préciseraient ces deux nombres, sans en changer aucun.",
                    "en": "They would make both numbers more precise, and change neither.",
                },
            ),
        ),
    ),
    Question(
        "metrics.q_rerank",
        {
            "fr": "On reclasse les 5 passages trouvés. Quelle mesure ne peut pas bouger ?",
            "en": "You rerank the 5 passages that were found. Which measure cannot move?",
        },
        (
            Choice(
                {"fr": "le MRR", "en": "MRR"},
                False,
                {
                    "fr": "Le premier passage pertinent peut monter : le MRR est justement ce qui bouge.",
                    "en": "The first relevant passage may move up: MRR is exactly what moves.",
                },
            ),
            Choice(
                {"fr": "le rappel@5", "en": "recall@5"},
                True,
                {
                    "fr": "Oui : ce sont les mêmes cinq passages, dans un autre ordre. Reclasser ordonne, et ne trouve "
                    "rien de nouveau.",
                    "en": "Yes: they are the same five passages in another order. Reranking orders, and finds nothing "
                    "new.",
                },
            ),
            Choice(
                {"fr": "le nDCG@5", "en": "nDCG@5"},
                False,
                {
                    "fr": "Chaque rang y a son poids : déplacer un bon passage change le total.",
                    "en": "Each rank has its weight there: moving a good passage changes the total.",
                },
            ),
            Choice(
                {"fr": "la précision@1", "en": "precision@1"},
                False,
                {
                    "fr": "Elle ne regarde que la première place, que le reclassement peut changer.",
                    "en": "It looks at first place only, which reranking may change.",
                },
            ),
        ),
    ),
    Question(
        "metrics.q_small",
        {
            "fr": "Sur six questions, le système A en réussit cinq et le système B quatre. Que conclure ?",
            "en": "On six questions system A gets five right and system B four. What follows?",
        },
        (
            Choice(
                {"fr": "A est meilleur de 17 points.", "en": "A is better by 17 points."},
                False,
                {
                    "fr": "C’est une seule question d’écart : une formulation différente aurait pu l’inverser.",
                    "en": "That is one question apart: another wording could have turned it round.",
                },
            ),
            Choice(
                {"fr": "A et B se valent.", "en": "A and B are equally good."},
                False,
                {
                    "fr": "Ne pas voir de différence n’est pas prouver l’égalité. Il manque des données dans les deux "
                    "sens.",
                    "en": "Seeing no difference does not prove that they are equal. Data are lacking both ways.",
                },
            ),
            Choice(
                {
                    "fr": "Rien encore : il faut beaucoup plus de questions, les mêmes pour les deux.",
                    "en": "Nothing yet: many more questions are needed, the same ones for both.",
                },
                True,
                {
                    "fr": "Oui. Même six victoires à zéro ne descendraient pas sous p = 2/64. Comptez de 100 à 1 000 "
                    "questions.",
                    "en": "Yes. Even six wins to none would not get below p = 2/64. Plan for 100 to 1,000 questions.",
                },
            ),
        ),
    ),
    Question(
        "metrics.q_segment",
        {
            "fr": "Le rappel moyen est de 0,9. Un collègue veut mettre en service. Que demandez-vous d’abord ?",
            "en": "Mean recall is 0.9. A colleague wants to go live. What do you ask for first?",
        },
        (
            Choice(
                {
                    "fr": "Le rappel par source et par type de question.",
                    "en": "Recall by source and by kind of question.",
                },
                True,
                {
                    "fr": "Oui : 0,9 en moyenne peut cacher une source à 0,4, et ce sont ses utilisateurs qui "
                    "appelleront.",
                    "en": "Yes: 0.9 on average may hide one source at 0.4, and its users are the ones who will call.",
                },
            ),
            Choice(
                {"fr": "La précision@10.", "en": "Precision@10."},
                False,
                {
                    "fr": "Avec un seul passage utile par question, elle ne dépassera pas 0,1 : elle n’apprend rien "
                    "ici.",
                    "en": "With one useful passage a question it cannot exceed 0.1: it tells you nothing here.",
                },
            ),
            Choice(
                {"fr": "Le même nombre avec quatre décimales.", "en": "The same number to four decimals."},
                False,
                {
                    "fr": "L’incertitude se compte en points, pas en dix-millièmes : l’intervalle de confiance le dit.",
                    "en": "The uncertainty is a matter of points, not of ten-thousandths: the confidence interval "
                    "says so.",
                },
            ),
        ),
    ),
    Question(
        "metrics.q_ndcg",
        {
            "fr": "Un classement ne contient qu’un document, noté 1. Un autre, noté 3, n’a pas été trouvé. Le nDCG@1 "
            "vaut :",
            "en": "A ranking holds one document, of grade 1. Another, of grade 3, was not found. nDCG@1 is:",
        },
        (
            Choice(
                {"fr": "1, car le document trouvé est bien placé", "en": "1, as the document found is well placed"},
                False,
                {
                    "fr": "Ce serait l’idéal calculé sur les documents trouvés, l’erreur la plus fréquente.",
                    "en": "That would take the ideal from the documents found, the commonest mistake.",
                },
            ),
            Choice(
                {"fr": "1/3, le rapport des notes", "en": "1/3, the ratio of the grades"},
                False,
                {
                    "fr": "Ce serait juste avec des gains linéaires (trec_eval). Ici le gain est 2^note − 1.",
                    "en": "That would be right with linear gains (trec_eval). Here the gain is 2^grade - 1.",
                },
            ),
            Choice(
                {"fr": "1/7, le rapport des gains", "en": "1/7, the ratio of the gains"},
                True,
                {
                    "fr": "Oui : (2¹ − 1) / (2³ − 1), car l’idéal met en tête le document noté 3.",
                    "en": "Yes: (2¹ - 1) / (2³ - 1), since the ideal puts the document of grade 3 first.",
                },
            ),
            Choice(
                {"fr": "0, car le meilleur document manque", "en": "0, as the best document is missing"},
                False,
                {
                    "fr": "Un document noté 1 rapporte un peu ; le nDCG n’est nul que si rien de noté n’est trouvé.",
                    "en": "A document of grade 1 earns a little; nDCG is 0 only if nothing graded is found.",
                },
            ),
        ),
    ),
)

PREDICTIONS = (
    Prediction(
        "metrics.move_up",
        {
            "fr": "Un passage noté 3 est au rang 4. On le met au rang 1 et les autres reculent d’une place. Quelles "
            "mesures changent parmi : précision@5, rappel@5, nDCG@5 ?",
            "en": "A passage of grade 3 is at rank 4. It is moved to rank 1 and the others move down one place. Which "
            "of these change: precision@5, recall@5, nDCG@5?",
        },
        (
            {"fr": "les trois", "en": "all three"},
            {"fr": "le nDCG@5 seulement", "en": "nDCG@5 only"},
            {"fr": "aucune", "en": "none"},
        ),
        {
            "fr": "Précision et rappel ne demandent que « dans les cinq premiers, oui ou non ? ». Le nDCG, lui, donne "
            "un poids à chaque rang.",
            "en": 'Precision and recall only ask "in the first five, yes or no?". nDCG gives each rank a weight.',
        },
    ),
    Prediction(
        "metrics.ceiling",
        {
            "fr": "Le rappel@5 est de 0,6. Le modèle répond juste 95 % du temps quand le passage est là, 5 % sinon. "
            "On le remplace par un modèle parfait (100 %). L’exactitude gagne :",
            "en": "Recall@5 is 0.6. The model is right 95% of the time when the passage is there, 5% otherwise. It is "
            "replaced by a perfect one (100%). Accuracy gains:",
        },
        (
            {"fr": "5 points", "en": "5 points"},
            {"fr": "3 points", "en": "3 points"},
            {"fr": "plus de 10 points", "en": "more than 10 points"},
        ),
        {
            "fr": "Le modèle n’est meilleur que lorsque le passage est là : 0,6 × 5 points. Cinq points de rappel en "
            "plus auraient rapporté davantage.",
            "en": "The model is better only where the passage is there: 0.6 × 5 points. Five more points of recall "
            "would have brought more.",
        },
    ),
    Prediction(
        "metrics.width",
        {
            "fr": "Pour diviser par deux la largeur d’un intervalle de confiance, il faut :",
            "en": "To halve the width of a confidence interval you need:",
        },
        (
            {"fr": "deux fois plus de questions", "en": "twice as many questions"},
            {"fr": "quatre fois plus de questions", "en": "four times as many questions"},
            {"fr": "deux fois plus de tirages", "en": "twice as many resamples"},
        ),
        {
            "fr": "La largeur suit 1/√n. Tirer plus de rééchantillons rend les bornes plus stables, pas plus proches : "
            "seules des questions nouvelles apportent de l’information.",
            "en": "The width goes as 1/√n. Drawing more resamples makes the bounds steadier, not closer: only new "
            "questions bring information.",
        },
    ),
    Prediction(
        "metrics.six",
        {
            "fr": "Sur six questions, un système gagne partout et l’autre perd partout. La valeur p du test "
            "apparié est :",
            "en": "On six questions one system wins everywhere and the other loses everywhere. The paired test's "
            "p-value is:",
        },
        (
            {"fr": "0 : c’est certain", "en": "0: it is certain"},
            {"fr": "environ 0,03", "en": "about 0.03"},
            {"fr": "environ 0,5", "en": "about 0.5"},
        ),
        {
            "fr": "Six pièces tombent du même côté deux fois sur 64. Voilà le mieux que six questions puissent faire ; "
            "une seule défaite, et p dépasse 0,2.",
            "en": "Six coins fall on the same side twice in 64. That is the best six questions can do; a single loss, "
            "and p exceeds 0.2.",
        },
    ),
)
