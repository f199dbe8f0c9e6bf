"""Changed versions of a reference function: one operator, comparison, constant or condition at a time.

    mutants_of(idf) -> {"n_docs - doc_freq -> n_docs + doc_freq in: return log(...)": <function>, ...}

A file mutants_<module>.py beside this one may set some aside, each with the reason why it is no mistake:

    EQUIVALENT = {"bm25.idf": {"a <= b -> a < b in: if a <= b": "equal values give the same sum on both sides"}}
"""

import ast
import copy
import inspect
import sys
from collections.abc import Callable, Collection, Iterator

OPERATORS = {
    ast.Add: [ast.Sub],
    ast.Sub: [ast.Add],
    ast.Mult: [ast.Div, ast.Add],
    ast.Div: [ast.Mult],
    ast.FloorDiv: [ast.Div],
    ast.Mod: [ast.FloorDiv],
    ast.Pow: [ast.Mult],
    ast.BitAnd: [ast.BitOr],
    ast.BitOr: [ast.BitAnd],
    ast.MatMult: [],
}
COMPARISONS = {
    ast.Lt: [ast.LtE, ast.Gt],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.Lt],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
}
SAYING = ("require", "text_str", "token_list", "token_lists", "matrix", "vector", "ValueError", "zip")
"""Calls whose constants are words for people, or Python's own guard (strict=True): nothing to compute with."""


def mutants_of(reference: Callable, elsewhere: Collection[str] = ()) -> dict[str, Callable]:
    """Make every changed version of a function.

    Changed are the function and the functions of its module that it calls, directly or not, but for those named in
    `elsewhere`.
    """
    module = sys.modules[reference.__module__]
    tree = ast.parse(inspect.getsource(module))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    mutants = {}
    for name in reached(reference.__name__, functions):
        if name in elsewhere and name != reference.__name__:
            continue
        original = functions[name]
        for number, (place, changed) in enumerate(changes(original)):
            space = dict(vars(module))
            copies = [changed if node is original else node for node in functions.values()]
            body = ast.fix_missing_locations(ast.Module(copies, type_ignores=[]))
            exec(compile(body, f"<{name} {number}>", "exec"), space)
            title, n = place, 2
            while title in mutants:
                title, n = f"{place} ({n})", n + 1
            mutants[title] = space[reference.__name__]
    return mutants


def reached(name: str, functions: dict[str, ast.FunctionDef]) -> list[str]:
    """List a function and those of the same file that it calls."""
    found, todo = [], [name]
    while todo:
        current = todo.pop()
        if current not in found:
            found.append(current)
            called = [node.id for node in ast.walk(functions[current]) if isinstance(node, ast.Name)]
            todo += [other for other in called if other in functions]
    return found


def changes(function: ast.FunctionDef) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield each change of a function: its description, and the changed function."""
    quiet = silent(function)
    for statement, node in with_statements(function):
        if id(node) not in quiet:
            for changed in replacements(node):
                title = f"{shown(node)} -> {shown(changed)} in: {shown(statement)}"
                yield title, copy.deepcopy(function, {id(node): changed})


def with_statements(node: ast.AST, statement: ast.AST | None = None) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Walk through a tree; yield each node with the innermost statement that it stands in."""
    if isinstance(node, ast.stmt):
        statement = node
    yield statement, node
    for child in ast.iter_child_nodes(node):
        yield from with_statements(child, statement)


def silent(function: ast.FunctionDef) -> set[int]:
    """Find the nodes that compute nothing: docstring, annotations, words for people."""
    roots: list[ast.AST] = [argument.annotation for argument in ast.walk(function) if isinstance(argument, ast.arg)]
    roots += [function.returns, *function.decorator_list]
    for node in ast.walk(function):
        if isinstance(node, ast.AnnAssign):
            roots.append(node.annotation)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            roots.append(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAYING:
            roots += [part for part in (*node.args, *node.keywords) if not isinstance(part, ast.Compare | ast.BoolOp)]
    return {id(node) for root in roots if root is not None for node in ast.walk(root)}


def replacements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what a node is replaced by."""
    match node:
        case ast.BinOp(left, op, right):
            for other in OPERATORS.get(type(op), []):
                yield ast.BinOp(left, other(), right)
        case ast.AugAssign(target, op, value):
            for other in OPERATORS.get(type(op), []):
                yield ast.AugAssign(target, other(), value)
        case ast.Compare(left, [op], [right]):
            for other in COMPARISONS[type(op)]:
                yield ast.Compare(left, [other()], [right])
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.If(test, body, orelse):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() | float() as value):
            yield ast.Constant(value + 1)
            if value not in (0, 1):
                yield ast.Constant(value - 1)


def shown(node: ast.AST) -> str:
    """Write a node on one line; of a statement that holds others its head."""
    lines = ast.unparse(node).splitlines()
    return lines[0] if isinstance(node, ast.stmt) else " ".join(" ".join(lines).split())
