"""The sentences about a cluster, French and English side by side."""

from ragteach.checking.exercise import Text

NO_DASK: Text = {
    "fr": "--dask demande le module distributed : pip install --editable '.[dask]'.",
    "en": "--dask needs the module distributed: pip install --editable '.[dask]'.",
}


def no_cluster(address: str, why: str) -> Text:
    """Say that nobody answers at an address."""
    return {
        "fr": f"Aucun ordonnanceur Dask ne répond à l’adresse {address} : {why}",
        "en": f"No Dask scheduler answers at {address}: {why}",
    }


def no_workers(address: str) -> Text:
    """Say that a cluster has nobody to do the work."""
    return {
        "fr": f"L’ordonnanceur Dask {address} n’a aucune machine : lancez-y dask worker.",
        "en": f"The Dask scheduler {address} has no machine: start dask worker on one.",
    }


def machine(name: str, what: Text) -> Text:
    """Say something of one machine of the cluster."""
    return {"fr": f"{name} : {what['fr']}", "en": f"{name}: {what['en']}"}


def other_version(name: str, theirs: str, ours: str) -> Text:
    """Say that a machine of the cluster would mark by other rules."""
    return {
        "fr": f"La machine {name} a la version {theirs} de ragteach, celle-ci la version {ours} : installez "
        "partout la même.",
        "en": f"The machine {name} has version {theirs} of ragteach, this one has {ours}: install the same everywhere.",
    }
