# ---
# jupyter:
#   jupytext:
#     cell_metadata_filter: all
#     notebook_metadata_filter: all,-language_info
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
#   ragteach:
#     chapter: 00_start
#     course: '1'
#     kind: lesson
#     lang: fr
# ---

# %% [markdown]
# # 00. Un RAG en dix minutes
# **Faire répondre un modèle avec vos documents, et vérifier qu’il s’en sert**
#
# Un robot du labo ne démarre plus : son fusible a fondu. Lequel remettre ? La réponse est quelque part dans les
# documents du labo : un manuel, des notes de version, des courriels, une vieille fiche numérisée. Un grand modèle de
# langage, lui, n’en a lu aucun. Si vous l’interrogez quand même, il vous donnera un ampérage d’un ton assuré, et ce
# sera un hasard si c’est le bon.
#
# Ce cours construit le système qui manque entre les deux, pièce par pièce. Ce premier chapitre vous le montre entier. À
# la fin, vous saurez :
#
# - dire ce qu’est un **RAG**, quand il le faut, et quand il n’en faut pas ;
# - suivre une question d’un bout à l’autre de la chaîne, jusqu’à une réponse qui cite sa source ;
# - reconnaître un refus, et une réponse fausse *parce que la recherche l’était* ;
# - travailler dans ces carnets, qui se corrigent eux-mêmes.

# %% [markdown]
# ## Votre temps
#
# Comptez **45 minutes** en tout : 40 pour cette leçon, 5 pour le carnet d’exercices (ses deux fonctions s’écrivent ici).
#
# | partie | minutes |
# |---|---|
# | 1. Pourquoi un RAG, et quand s’en passer | 5 |
# | 2. Un RAG en dix minutes | 10 |
# | 3. Travailler dans ces carnets (à vous) | 6 |
# | 4. La plus petite recherche du monde (à vous) | 7 |
# | 5. Les quatre séances | 2 |
# | 6. Bilan et quiz | 5 |
# | À consulter : le glossaire et les onze articles | 5, pour les parcourir |
#
# **Comment travailler.** Ce carnet s’ouvre avec ses résultats déjà calculés, pour qu’on puisse le feuilleter.
# Effacez-les d’abord : menu *Edit*, *Clear Outputs of All Cells* (les menus de JupyterLab sont en
# anglais). Cliquez ensuite ici, puis exécutez les cellules une à une, avec `Maj + Entrée`. Quand on vous demande une
# prédiction, répondez *avant* de continuer : se tromper, puis voir pourquoi, voilà ce qui reste.

# %%
from ragteach.notebook import begin, check, hint, predict, quiz, reveal

begin("00_start", lang="fr", course="1")

# %% [markdown]
# ## 1. Pourquoi un RAG, et quand s’en passer
#
# Un modèle de langage ne sait que ce qu’il a lu pendant son entraînement, et cet entraînement s’est arrêté un jour. Il
# ignore vos documents privés, les prix de ce matin, la commande passée il y a dix minutes. Interrogé là-dessus, il ne se
# tait pas : il complète, avec style. C’est une **hallucination**.
#
# Il y a trois façons de lui donner ce savoir.
#
# | | tout coller dans le prompt | affiner le modèle (*fine-tuning*) | chercher, puis répondre (**RAG**) |
# |---|---|---|---|
# | l’idée | le modèle relit tout à chaque question | les documents entrent dans ses poids | on lui donne les quelques passages utiles |
# | mise à jour | immédiate | réentraîner ; entre-temps, les faits se périment | immédiate, dès que l’index suit |
# | citer sa source | possible | non | oui |
# | qui a le droit de lire ? | à vous de trier ce que vous collez | impossible à dire | se décide à chaque question |
# | coût d’une question | très élevé, et la fenêtre est limitée | faible | faible, souvent avec un modèle plus petit |
# | ce qui casse | lent, cher, puis trop grand | périmé, invérifiable | la chaîne vaut son maillon le plus faible |
#
# RAG veut dire *retrieval-augmented generation*, « génération augmentée par la recherche ». Le mot vient d’un article de
# 2020, où le chercheur de passages et le générateur s’entraînaient ensemble. Aujourd’hui, on les prend presque toujours
# séparés, et déjà entraînés.

# %% [markdown]
# Dans la pratique, voici comment choisir.
#
# | votre situation | ce qu’il faut | pourquoi |
# |---|---|---|
# | des milliers de documents, souvent mis à jour, des sources à citer | un RAG | frais, ancré dans les textes, vérifiable |
# | un manuel de cinquante pages, qui change peu et tient dans la fenêtre | le contexte long | aucun index à construire ni à tenir à jour |
# | « écris dans notre ton, toujours dans ce format » | l’affinage, ou quelques exemples dans le prompt | on veut un comportement, pas des faits |
# | des questions où il faut chercher, lire, puis chercher autre chose | un RAG *agentique* : le modèle lance lui-même les recherches | il reformule et recommence |
#
# Une règle résume les deux tableaux : **le RAG pour des faits nombreux, qui changent et se citent ; le contexte long pour
# peu de texte, stable ; l’affinage pour le style**.
#
# Et un avertissement, qui vaut pour tout le cours : si la recherche manque le bon passage, aucun modèle ne peut le
# retrouver.

# %% [markdown]
# ## 2. Un RAG en dix minutes
#
# Voici toute la chaîne. La ligne du haut se prépare une fois ; celle du bas se déroule à chaque question. Dans chaque
# boîte, le chapitre qui vous apprend à la construire.

# %%
from ragteach.explore import bars, milestones, pipeline_figure, show, table

alt = "Deux lignes de boîtes. En haut, préparés une fois : documents, morceaux, index. "
alt += (
    "En bas, à chaque question : question, recherche (qui interroge l’index), prompt, réponse."
)
show(pipeline_figure(lang="fr"), alt)

# %% [markdown]
# ### Les documents
#
# Le corpus du cours est la documentation de R2, un robot de labo. Chaque document porte des étiquettes : son titre, sa
# date, et qui peut le lire. On commence par là : vous êtes étudiant, et ce que vous ne pouvez pas lire ne doit jamais
# entrer dans votre index.

# %% tags=["nbval-check-output"]
from ragteach.corpus import chunk, load
from ragteach.retrieval.access import allowed_chunks

robot = load("robot", "fr")
student = {"tenant": "labo", "roles": ["all"]}
labels = [document.metadata for document in robot.documents]
documents = [robot.documents[i] for i in allowed_chunks(labels, student)]
print(
    len(robot.documents), "documents ; vous pouvez en lire", len(documents), "; par exemple :"
)
for document in documents[:3]:
    print("-", document.metadata["date"], document.title)

# %% [markdown]
# ### Les morceaux, puis l’index
#
# Un document entier est trop long pour répondre à une question. On le coupe en **morceaux** (*chunks*), ici aux
# paragraphes et aux phrases, d’au plus 60 mots. Puis on range les mots de chaque morceau dans un **index**, sans les mots
# vides comme « le » ou « est », qui ne disent rien du sujet.

# %% tags=["nbval-check-output"]
from ragteach.answers.words import STOP_WORDS
from ragteach.retrieval.bm25_index import BM25Index
from ragteach.retrieval.chunking import chunk_recursive
from ragteach.retrieval.text import tokenize


def words(text):
    return [token for token in tokenize(text) if token not in STOP_WORDS]


def prepare(documents):
    """Découper les documents, et ranger les mots des morceaux dans un index."""
    chunks = chunk(documents, lambda text: chunk_recursive(text, 60))
    return chunks, BM25Index([words(piece.text) for piece in chunks])


chunks, index = prepare(documents)
print(len(chunks), "morceaux")
print(words("Quel fusible protège l’alimentation de R2 ?"))

# %% [markdown]
# ### La recherche
#
# À partir d’ici, tout se refait pour chaque question. La recherche donne une note à chaque morceau, d’après les mots
# qu’il partage avec la question et leur rareté (c’est **BM25**, le chapitre 02). On garde les deux meilleurs.


# %%
def search(question, k=2):
    """Rendre les k meilleurs passages, avec leur titre et leur date."""
    source = {document.id: document for document in documents}
    found = [chunks[i] for i in index.search(words(question), k)]
    return [
        {
            "title": source[piece.source].title,
            "date": source[piece.source].metadata["date"],
            "text": piece.text,
        }
        for piece in found
    ]


question = "Quel fusible protège l’alimentation de R2 ?"
passages = search(question)
rows = [[n, one["title"], one["date"], one["text"]] for n, one in enumerate(passages, start=1)]
table(["source", "document", "date", "passage"], rows, lang="fr")

# %% [markdown]
# ### Le prompt
#
# Ces deux passages, la question et une consigne forment le texte que lira le modèle. Lisez-le : c’est le cœur d’un RAG.

# %% tags=["nbval-check-output"]
from ragteach.answers.prompt import build_prompt

print(build_prompt(question, passages))

# %% [markdown]
# Tout y tient en trois règles : répondre **à partir des sources seulement**, **citer** chaque affirmation par un numéro,
# et **refuser** par une phrase exacte quand la réponse manque. Les deux dernières ont un mérite de plus : un programme
# peut les vérifier. Les deux autres lignes parent à ce que des documents peuvent cacher : une valeur périmée, ou un ordre
# glissé dans le texte.
#
# ### La réponse
#
# Ce prompt est prêt pour n’importe quel modèle de langage, sur votre machine ou chez un fournisseur (chapitre 10). Pour
# que la leçon donne partout le même résultat, un remplaçant très modeste tient ici son rôle : il recopie la phrase des
# sources qui partage le plus de mots avec la question, et refuse si elle en partage trop peu. Il ne comprend rien, mais il
# ne peut rien inventer non plus.

# %% tags=["nbval-check-output"]
from ragteach.answers.citations import check_citations
from ragteach.answers.extractive import extractive_answer


def ask(question):
    """Répondre à une question, montrer les sources et vérifier les citations."""
    passages = search(question)
    answer = extractive_answer(question, passages)
    print("question :", question)
    for n, one in enumerate(passages, start=1):
        print(f"  source {n} : {one['title']} ({one['date']})")
    print("réponse  :", answer)
    print("fautes de citation :", sum(map(len, check_citations(answer, passages).values())))


ask(question)

# %% [markdown]
# **Voilà une réponse juste, et vérifiable.** Le numéro entre crochets mène au manuel du robot ; n’importe qui peut aller
# lire la phrase. La dernière ligne compte ce que le programme a trouvé à redire : un numéro qui ne mène nulle part, une
# affirmation sans source, une source qui dit autre chose.
#
# ### Un refus
#
# Et quand les documents ne savent pas ?

# %%
predict("start.camera")

# %% tags=["nbval-check-output"]
camera = "Quelle est la résolution de la caméra de R2 ?"
ask(camera)

# %%
reveal("start.camera", extractive_answer(camera, search(camera)))

# %% [markdown]
# La recherche a bien rendu deux passages : elle en rend toujours. Ils parlent d’un autre robot, et aucun ne répond. Un
# refus n’est pas un échec. Ce qui en serait un, c’est un nombre de pixels inventé.
#
# ### Une réponse fausse, parce que la recherche l’était
#
# Les vacances arrivent. Il faut ranger les batteries, et une batterie mal rangée s’abîme.

# %%
predict("start.cited")

# %% tags=["nbval-check-output"]
storage = "À quelle tension par cellule ranger les batteries LiPo ?"
ask(storage)

# %%
answer = extractive_answer(storage, search(storage))
reveal("start.cited", "une réponse juste" if "3,8" in answer else "une réponse fausse")

# %% [markdown]
# Tout semble en ordre : une phrase nette, une source, une citation sans faute. Mais regardez les **dates**. La source 1
# est une copie de la version 1.2, oubliée là ; la procédure a changé depuis, et la bonne valeur est celle de la source 2.
# Les deux textes se ressemblent presque mot pour mot, et la recherche, qui ne compare que des mots, a mis le vieux
# devant.
#
# Un vrai modèle, à qui la consigne dit de suivre la source la plus récente, s’en tirerait peut-être : encore faut-il
# qu’il reçoive les deux. Mieux vaut ne rien lui donner de périmé. On répare donc la recherche, en ôtant de l’index la
# vieille copie.

# %% tags=["nbval-check-output"]
documents = [document for document in documents if document.id != "maintenance-1-2"]
chunks, index = prepare(documents)
ask(storage)

# %% [markdown]
# La même question, le même prompt, le même modèle : seule la recherche a changé, et la réponse est juste.
#
# La recherche a une autre façon d’échouer : le bon passage existe, mais il est classé plus loin que ceux qu’on fournit.

# %% tags=["nbval-check-output"]
code = "Que signifie le code E42 ?"
ask(code)
right = robot.passages["code-e42"].text
ranking = index.search(words(code), len(chunks))
rank = next(n for n, i in enumerate(ranking, start=1) if right in chunks[i].text)
print("le bon passage :", right)
print("son rang :", rank)

# %% [markdown]
# Depuis le firmware 2.0, ce code signale un moteur qui force ; l’ancien sens induit en erreur. Nous n’avons donné au
# modèle que deux passages, et le bon n’en était pas. Le meilleur modèle du monde n’y aurait rien pu.
#
# D’où la première habitude de ce cours : devant une réponse fausse, **regardez d’abord ce que la recherche a rendu**. Le
# bon passage est-il trouvé ? Bien classé ? Fourni ? Utilisé ? Dans cet ordre.
#
# **Manipulez.** Ajoutez une cellule (`Échap`, puis `B`), et posez vos questions avec `ask("…")`. Cherchez une question
# à laquelle le manuel répond, et que notre système manque : il suffit souvent de changer un mot.

# %% [markdown]
# ### Et en production ?
#
# Remplaçons notre index par une vraie bibliothèque, `rank-bm25`. Trouve-t-elle les mêmes passages ?

# %% tags=["nbval-check-output"]
from rank_bm25 import BM25Okapi

library = BM25Okapi([words(piece.text) for piece in chunks])
for asked in (question, camera, storage, code):
    scores = library.get_scores(words(asked))
    best = sorted(range(len(chunks)), key=lambda i: -scores[i])[:2]
    print("oui" if best == index.search(words(asked), 2) else "non", "-", asked)

# %% [markdown]
# Les mêmes. Nos pièces sont petites, mais ce sont les vraies. Ailleurs, elles s’appellent autrement :
#
# | la pièce | ici | en production |
# |---|---|---|
# | lire les documents | du Markdown propre | PDF, pages web, textes scannés : le plus gros du travail |
# | chercher | BM25 en mémoire | BM25 **et** plongements, fusionnés : Elasticsearch, OpenSearch, PostgreSQL avec pgvector, Qdrant… |
# | reclasser | rien encore | un *cross-encoder* relit les vingt à cent meilleurs, et en garde cinq à dix |
# | répondre | un remplaçant qui recopie | un modèle local (llama.cpp, Ollama) ou une API |
# | surveiller | nous, en lisant | une trace de chaque étape, et des mesures rejouées à chaque changement |

# %% [markdown]
# ## 3. Travailler dans ces carnets
#
# Les cellules **À vous** attendent votre code. La cellule qui suit le vérifie : elle essaie votre fonction sur des exemples
# choisis, puis sur d’autres tirés au hasard. Voici un premier essai, pas tout à fait juste, pour compter les mots d’un
# texte. Lisez la réponse de la vérification.


# %%
def first_try(text):
    return text.count(" ") + 1


_ = check("start.count_words", first_try)

# %% [markdown]
# Vous voyez, de haut en bas : souvent, **le nom de l’erreur** ; puis **un appel qui la montre**, avec la valeur attendue et
# la valeur obtenue ; enfin la liste des cas choisis, et des **indices**, à ouvrir un par un.
#
# ### À vous : `count_words`
#
# Remplacez la ligne `raise NotImplementedError`. Python a ce qu’il faut : `"le robot".split()` coupe un texte à tous les
# blancs, et `len(…)` donne la longueur d’une liste.


# %%
def count_words(text: str) -> int:
    """Compter les mots d’un texte : ce que des blancs séparent.

    count_words("Un fusible de 5 A protège le robot.") -> 8 ; un texte vide ou blanc -> 0.
    """
    raise NotImplementedError


# %%
count_words = check("start.count_words", count_words)

# %% [markdown]
# Si votre fonction est juste, la leçon s’en sert désormais. Sinon, elle continue avec une **version de référence**, et vous
# le dit. Vous ne serez donc jamais bloqué, et vous pouvez exécuter un carnet entier avant d’en remplir une ligne.
#
# | vous voulez… | faites |
# |---|---|
# | un indice | écrivez `hint("start.count_words")` dans une cellule, et exécutez-la à nouveau pour l’indice suivant |
# | savoir où vous en êtes | la barre sous chaque vérification, ou la commande `.venv/bin/ragteach progress` |
# | faire noter un carnet | la commande `.venv/bin/ragteach check exercises/fr/00_start.ipynb` : la même vérification que celle de votre professeur |
# | la solution expliquée | le dossier `solutions`, après avoir essayé |
# | sortir d’une boucle sans fin | la vérification s’arrête seule ; ailleurs, menu *Kernel*, *Interrupt Kernel* |
# | repartir de zéro | menu *Kernel*, *Restart Kernel* : vos réponses et vos points restent |
#
# Les commandes se tapent dans un terminal ouvert sur le dossier du cours : dans JupyterLab, menu *File*, *New*, *Terminal*.
#
# Chaque chapitre a trois carnets : la **leçon** (`notebooks`), les **exercices** (`exercises`), à rendre, et les
# **solutions**. Seul le meilleur de vos essais compte, et un exercice vide n’est pas une faute.

# %% [markdown]
# ## 4. La plus petite recherche du monde
#
# Combien de mots lit-on quand on cherche ?

# %% tags=["nbval-check-output"]
n_words = sum(count_words(document.text) for document in documents)
given = sum(count_words(one["text"]) for one in search(question))
print("dans les documents :", n_words, "mots ; dans le prompt :", given)

# %% [markdown]
# Tout l’intérêt est là : le modèle lit deux passages, pas tout le corpus. Encore faut-il que ce soient les bons. Écrivez
# la recherche la plus simple : compter les **mots communs** à la question et à chaque morceau, et garder le morceau qui
# en a le plus.
#
# ### À vous : `best_chunk`
#
# Le plan : refuser d’abord un argument absurde, avec `raise ValueError("…")` ; mettre les textes en minuscules ; les
# couper avec `split()` ; en faire des ensembles, avec `set(…)`, pour qu’un mot répété ne compte qu’une fois. `a & b`
# est l’ensemble des éléments communs à `a` et à `b`, et `shared.index(max(shared))` le numéro du plus grand nombre
# d’une liste.


# %%
def best_chunk(question: str, chunks: list[str]) -> int:
    """Donner le numéro du morceau qui a le plus de mots différents en commun avec la question.

    best_chunk("Quel fusible ?", ["le lidar", "le fusible"]) -> 1. Les mots sont ceux de lower().split().
    Les numéros commencent à 0 ; à égalité, le plus petit. Lève ValueError si chunks est vide, ou si c’est
    une chaîne.
    """
    raise NotImplementedError


# %%
best_chunk = check("start.best_chunk", best_chunk)

# %% [markdown]
# Essayons-la sur trois petits morceaux, puis sur tout le corpus.

# %%
three = [
    "Le lidar tourne à 5,5 Hz.",
    "Un fusible protège le robot.",
    "Le robot est rangé le soir.",
]
asked = "Où est le fusible du robot ?"
common = {text: len(set(asked.lower().split()) & set(text.lower().split())) for text in three}
print(asked, "-> morceau", best_chunk(asked, three))
show(
    bars(common, "mots communs avec la question", lang="fr", digits=0),
    f"Mots communs, morceau par morceau : {common}.",
)

# %% tags=["nbval-check-output"]
texts = [piece.text for piece in chunks]
best = best_chunk(question, texts)
print(question)
print("trouvé :", chunks[best].source)
print("grâce à :", sorted(set(question.lower().split()) & set(texts[best].lower().split())))

# %% [markdown]
# Sur le corpus, elle gagne avec des mots qui ne disent rien, et rate le fusible. Même sur trois petits morceaux, elle
# se trompe : « robot. », avec son point, n’est pas « robot », et « le » ou « est » comptent autant que « fusible ».
# Chaque chapitre va réparer quelque chose. Pour savoir si c’est mieux, il faut mesurer, et toujours sur les mêmes
# questions : six, posées à trois documents si courts qu’on les lit en deux minutes (`load("mini", "fr")`). Voici la
# **première ligne** du tableau qui nous suivra.

# %% tags=["nbval-check-output"]
milestones("00_start", lang="fr")

# %% [markdown]
# Pour l’instant, retenez une colonne : le **rappel@3** (*recall@3*), la part des passages attendus qui se trouvent dans
# les trois premiers morceaux. Le reste du tableau s’éclaire au chapitre 05.
#
# ## 5. Les quatre séances
#
# | séance | chapitres | la question |
# |---|---|---|
# | 1. Trouver les mots | 00 un RAG en dix minutes, 01 découper les documents, 02 BM25 et l’index inversé | Le passage contient-il ces mots ? |
# | 2. Trouver le sens | 03 plongements par TF-IDF et SVD, 04 recherche hybride, 05 mesurer la recherche | Et s’il le dit autrement ? Comment le prouver ? |
# | 3. Passer à l’échelle | 06 exact, puis cellules, 07 comprimer les vecteurs, 08 un graphe navigable | Et avec dix millions de passages ? |
# | 4. Répondre, et le prouver | 09 reformuler la question, 10 prompt, citations, refus, 11 évaluer les réponses, 12 en production | La réponse est-elle fidèle ? Et qui peut la voir ? |
# | le TP, six heures | 13 vos propres documents | Tout, sur un corpus que vous connaissez |
#
# Chaque chapitre demande ensuite de 45 à 90 minutes, et part des pièces des précédents.
# Les chapitres 09 à 13 sont en cours d’écriture ; le paquet contient déjà leurs fonctions.

# %% [markdown]
# ## 6. Bilan
#
# - Un modèle de langage ignore vos documents et **invente** plutôt que de se taire. Un RAG lui donne, à chaque question,
#   les passages qu’il lui faut.
# - **RAG** pour des faits nombreux et changeants, à citer ; **contexte long** pour peu de texte, stable ; **affinage** pour
#   le style.
# - La chaîne : documents, morceaux, index ; puis question, recherche, prompt, réponse.
# - Le prompt a trois règles : les sources **seulement**, des **citations**, un **refus** exact.
# - Une citation rend une réponse **vérifiable**, pas vraie.
# - Devant une réponse fausse, on regarde **la recherche d’abord**.

# %%
quiz("00_start")

# %% [markdown]
# ### Et maintenant ?
#
# 1. Le carnet `exercises/fr/00_start.ipynb` : recopiez-y vos deux fonctions. C’est un tour de chauffe, pour apprendre à
#    rendre un carnet.
# 2. Le chapitre 01 : tout commence par la façon de **couper** les documents.
#
# La suite de ce carnet se consulte : revenez-y quand un mot ou un article vous arrête.

# %% [markdown]
# ## À consulter : le glossaire
#
# Le domaine parle anglais, même en français. Voici les mots du cours, avec le chapitre qui les construit.
#
# **Le principe**
#
# | français | anglais | en une phrase | chap. |
# |---|---|---|---|
# | recherche d’information | *information retrieval* | ranger les documents d’un corpus du plus au moins pertinent pour une requête | 02 |
# | génération augmentée par la recherche | *RAG* | chercher des passages, puis répondre à partir d’eux | 00 |
# | grand modèle de langage | *large language model, LLM* | un programme qui prolonge un texte, mot après mot | 10 |
# | hallucination | *hallucination* | une invention dite avec assurance | 10 |
# | consigne, prompt | *prompt* | tout le texte que le modèle reçoit | 10 |
# | token | *token* | l’unité que compte un modèle ou un index : un mot, souvent moins | 02 |
# | fenêtre de contexte | *context window* | ce qu’un modèle peut lire en une fois | 10 |
# | budget de tokens | *token budget* | la fenêtre, à partager entre consigne, conversation et sources | 10 |
# | contexte long | *long context* | tout donner à lire, sans chercher | 00 |
# | affinage | *fine-tuning* | continuer l’entraînement d’un modèle sur ses propres exemples | 00 |
# | quelques exemples | *few-shot* | montrer dans le prompt ce que l’on attend | 00 |
# | RAG itératif, agentique | *iterative, agentic RAG* | chercher plusieurs fois ; laisser le modèle décider quand | 09 |
#
# **Les documents**
#
# | français | anglais | en une phrase | chap. |
# |---|---|---|---|
# | ingestion | *ingestion* | des fichiers bruts à l’index | 01 |
# | analyse (d’un fichier) | *parsing* | tirer d’un PDF ou d’une page un texte utilisable | 01 |
# | reconnaissance de texte | *OCR* | lire les lettres d’une image | 01 |
# | nettoyage, dédoublonnage | *cleaning, deduplication* | ôter les menus, les bandeaux et les copies | 01 |
# | métadonnées | *metadata* | source, date, version, langue, lecteurs autorisés | 01 |
# | chemin des titres | *heading path* | les titres sous lesquels se range un passage | 01 |
# | morceau, fragment | *chunk* | la partie d’un document que l’on cherche et que l’on fournit | 01 |
# | découpage | *chunking* | la façon de faire les morceaux | 01 |
# | recouvrement, chevauchement | *overlap* | ce que deux morceaux voisins ont en commun | 01 |
# | à taille fixe, récursif | *fixed-size, recursive* | des fenêtres de n mots ; ou le plus gros séparateur d’abord | 01 |
# | par la structure, sémantique | *structural, semantic* | un morceau par section ; ou une coupe là où le sujet change | 01 |
# | parent-enfant, du petit au grand | *parent-child, small-to-big* | chercher un petit morceau, fournir le grand qui l’entoure | 01 |
# | récupération contextuelle | *contextual retrieval* | dire, devant chaque morceau, d’où il vient | 01 |
# | découpage tardif | *late chunking* | plonger le document entier, découper ensuite | 01 |
# | dérive de découpage | *chunk drift* | des textes redécoupés sous un index inchangé | 01 |

# %% [markdown]
# **La recherche**
#
# | français | anglais | en une phrase | chap. |
# |---|---|---|---|
# | requête | *query* | ce que l’on cherche | 02 |
# | pertinence | *relevance* | le jugement, par oui ou non ou par degrés, qu’un passage répond | 05 |
# | mots vides | *stop words* | « le », « est » : fréquents, et muets sur le sujet | 02 |
# | recherche lexicale, ou creuse | *lexical, sparse retrieval* | comparer les mots | 02 |
# | index inversé | *inverted index* | pour chaque mot, la liste des documents qui le contiennent | 02 |
# | fréquence du terme, rareté | *TF, IDF* | combien de fois ici ; dans combien de documents | 02 |
# | modèle binaire d’indépendance | *binary independence model* | l’hypothèse qui donne l’IDF : des mots indépendants, une fois la pertinence connue | 02 |
# | BM25 | *BM25* | rareté × fréquence qui sature × correction de longueur | 02 |
# | point de comparaison | *baseline* | la méthode simple qu’il faut battre | 02 |
# | recherche dense | *dense retrieval* | comparer des vecteurs qui portent le sens | 03 |
# | plongement | *embedding* | le vecteur d’un texte | 03 |
# | encodeur | *encoder* | le modèle qui change un texte en vecteur | 03 |
# | similarité cosinus | *cosine similarity* | le cosinus de l’angle entre deux vecteurs | 03 |
# | analyse sémantique latente | *LSA* | des plongements par TF-IDF et SVD | 03 |
# | bi-encodeur | *bi-encoder* | question et passage plongés séparément : rapide, s’indexe | 03 |
# | apprentissage contrastif | *contrastive learning, InfoNCE* | rapprocher les paires justes, éloigner les autres | 03 |
# | négatif dur | *hard negative* | un passage qui ressemble, et ne répond pas | 03 |
# | cross-encodeur | *cross-encoder* | question et passage lus ensemble : précis, lent | 03, 04 |
# | interaction tardive | *late interaction, MaxSim* | un vecteur par token, comparés un à un | 03 |
# | recherche hybride | *hybrid search* | les mots et le sens, fusionnés | 04 |
# | fusion des rangs réciproques | *reciprocal rank fusion, RRF* | additionner 1 / (60 + rang) | 04 |
# | reclassement | *reranking* | relire les meilleurs pour mieux les ordonner | 04 |
# | pertinence marginale maximale | *MMR* | choisir des passages utiles et différents | 04 |
# | réécriture de requête | *query rewriting* | développer les sigles, rendre la question autonome | 09 |
# | multi-requête | *multi-query* | chercher avec plusieurs formulations, réunir | 09 |
# | décomposition | *decomposition* | couper une question composée | 09 |
# | réponse hypothétique | *HyDE* | chercher avec une réponse imaginée | 09 |
#
# **Le passage à l’échelle**
#
# | français | anglais | en une phrase | chap. |
# |---|---|---|---|
# | recherche exacte | *exact search* | comparer la question à tous les vecteurs | 06 |
# | plus proches voisins approchés | *approximate nearest neighbours, ANN* | chercher vite, en manquant parfois un voisin | 06 |
# | fichier inversé de cellules | *IVF* | ne visiter que les groupes de vecteurs proches | 06 |
# | quantification, quantification produit | *quantization, PQ* | des vecteurs plus petits, un peu moins précis | 07 |
# | graphe navigable hiérarchique | *HNSW* | de voisin en voisin, par des autoroutes puis des rues | 08 |
# | rappel de l’index | *index recall* | la part des vrais voisins qu’un index approché retrouve | 06 |
# | filtrage | *filtering* | ne chercher que parmi les documents permis | 06 |
# | base vectorielle | *vector database* | un entrepôt de vecteurs qui sait y chercher | 06 |

# %% [markdown]
# **Mesurer et répondre**
#
# | français | anglais | en une phrase | chap. |
# |---|---|---|---|
# | jeu d’évaluation | *evaluation set* | des questions, leurs passages, leurs réponses | 05 |
# | question piège | *trap, unanswerable question* | les documents ne savent pas : il faut refuser | 05 |
# | passage de référence | *gold chunk* | celui qui répond, noté à la main | 05 |
# | rappel@k | *recall@k* | la part des bons passages parmi les k premiers | 05 |
# | précision@k | *precision@k* | la part de bons parmi les k premiers | 05 |
# | rang réciproque moyen | *MRR* | la moyenne de 1 / rang du premier bon passage | 05 |
# | gain cumulé actualisé normalisé | *nDCG* | des degrés de pertinence, qui comptent plus en haut | 05 |
# | par segment | *by segment* | la moyenne de chaque sorte de document ou de question | 05 |
# | intervalle de confiance | *confidence interval* | entre quelles valeurs se tient une moyenne mesurée sur peu de questions | 05 |
# | ablation | *ablation* | changer une pièce à la fois, et mesurer | 13 |
# | citation | *citation* | le numéro de la source qui soutient la phrase | 10 |
# | refus | *refusal* | la phrase exacte qui dit : ce n’est pas dans les documents | 10 |
# | réponse extractive | *extractive answer* | une phrase recopiée telle quelle des sources | 10 |
# | ancrage, fidélité | *grounding, faithfulness* | chaque affirmation est soutenue par les passages fournis | 11 |
# | exactitude | *accuracy* | la réponse est vraie, d’après une réponse de référence | 11 |
# | correspondance exacte, F1 | *exact match, F1* | comparer mot à mot la réponse à la référence | 11 |
# | pertinence de la réponse | *answer relevance* | elle répond à la question posée | 11 |
# | pertinence, précision du contexte | *context relevance, precision* | la part de ce qu’on a fourni qui a servi | 11 |
# | modèle juge | *LLM as a judge* | un modèle qui note, à étalonner sur des humains | 11 |
# | accord corrigé du hasard | *Cohen’s kappa* | à quel point deux juges s’accordent vraiment | 11 |
#
# **En production**
#
# | français | anglais | en une phrase | chap. |
# |---|---|---|---|
# | trace | *trace* | le journal de chaque étape d’une question | 12 |
# | latence | *latency* | l’attente : chercher, lire le prompt, écrire | 10 |
# | préremplissage | *prefill* | le modèle lit tout le prompt avant d’écrire un mot | 10 |
# | cache | *cache* | garder un résultat, pour ceux qui ont le droit de le voir | 12 |
# | contrôle d’accès, locataire | *access control, tenant* | qui peut lire quoi, décidé avant le prompt | 12 |
# | fraîcheur, index périmé | *freshness, stale index* | l’index suit-il les documents ? | 12 |
# | donnée dérivée | *derived data* | ce qui se reconstruit depuis les documents, comme l’index | 12 |
# | indexation incrémentale | *incremental indexing* | ne refaire que ce qui a changé, suppressions comprises | 12 |
# | bascule bleu-vert | *blue-green* | construire le nouvel index à côté, l’évaluer, basculer | 12 |
# | injection de prompt indirecte | *indirect prompt injection* | un document qui donne des ordres au modèle | 12 |

# %% [markdown]
# ## À consulter : onze articles, une carte
#
# Voici les textes fondateurs du domaine, avec le chapitre qui s’en sert. Ne les lisez pas maintenant : revenez-y chapitre
# par chapitre.
#
# | article | ce qu’il a apporté | ce qu’on en retient | chap. |
# |---|---|---|---|
# | Robertson et Zaragoza, *The Probabilistic Relevance Framework: BM25 and Beyond*, 2009 | d’où vient BM25, par les probabilités | vieux, rapide, et toujours difficile à battre | 02 |
# | Karpukhin et coll., *Dense Passage Retrieval*, EMNLP 2020 (arXiv 2004.04906) | deux encodeurs BERT, entraînés à rapprocher question et passage | meilleur que BM25 sur des questions ouvertes, grâce à l’entraînement contrastif et à ses négatifs durs | 03 |
# | Lewis et coll., *Retrieval-Augmented Generation for Knowledge-Intensive NLP Tasks*, NeurIPS 2020 (2005.11401) | le mot RAG ; recherche et générateur entraînés ensemble | on s’en passe presque toujours : des pièces figées suffisent | 00, 01, 10 |
# | Khattab et Zaharia, *ColBERT*, SIGIR 2020 (2004.12832) | un vecteur par token, et MaxSim | presque la précision d’un cross-encodeur, bien moins cher | 03 |
# | Malkov et Yashunin, *HNSW*, 2016, en revue en 2018 (1603.09320) | un graphe à plusieurs étages, où l’on descend de voisin en voisin | l’index le plus employé ; trois réglages : M, efConstruction, efSearch | 08 |
# | Johnson, Douze et Jégou, *Billion-scale similarity search with GPUs* (FAISS), 2017 (1702.08734) | cellules et compression, pour un milliard de vecteurs | comprimer coûte peu de rappel | 06, 07 |
# | Gao et coll., *HyDE*, 2022 (2212.10496) | imaginer une réponse, et chercher avec elle | un gain sans entraînement, quand question et réponse n’ont pas les mêmes mots | 09 |
# | Es et coll., *RAGAS*, 2023 (2309.15217) | fidélité et pertinence mesurées sans réponse de référence | le juge est un modèle : on l’étalonne sur des humains | 05, 11 |
# | Liu et coll., *Lost in the Middle*, 2023 (2307.03172) | les modèles lisent mal le milieu d’un long contexte | le meilleur passage au début ou à la fin, et peu de passages | 10 |
# | Asai et coll., *Self-RAG*, 2023 (2310.11511) | un modèle qui décide quand chercher, et critique ses réponses | la voie du RAG agentique | 09, 12 |
# | Gao et coll., *Retrieval-Augmented Generation for Large Language Models: A Survey*, 2023 (2312.10997) | le panorama : RAG naïf, avancé, modulaire | une carte pour choisir ses pièces | 00 |
#
# Un douzième fait le pont entre les deux premières séances : Cormack, Clarke et Büttcher, « Reciprocal Rank Fusion
# outperforms Condorcet and individual rank learning methods », SIGIR 2009, au chapitre 04.
