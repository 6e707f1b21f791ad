"""A domain in plain Python: a shelf of books that can be lent. It shows what the adapter needs of a domain."""

import copy

BOOKS = {"b1": {"title": "Middlemarch", "lent_to": None}, "b2": {"title": "Emma", "lent_to": "Ida"}}
TASKS = {"lend": {"book": "b1", "to": "Bo"}, "refuse": {"book": "b2", "to": "Ida"}}


def tool(name, description, **properties):
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"name": name, "description": description, "parameters": parameters}


class Session:
    policy = "Lend a book only if nobody has it."
    opening = "Good morning, the library."
    tools = [
        tool("read_book", "Read the card of a book.", id={"type": "string"}),
        tool("lend_book", "Lend a book.", id={"type": "string"}, to={"type": "string"}),
    ]
    user_tools = []

    def __init__(self, task):
        self.task, self.books = task, copy.deepcopy(BOOKS)

    def call(self, name, arguments, by):
        book = self.books.get(arguments.get("id"))
        if book is None:
            return "there is no such book", True
        if name == "read_book":
            return book, False
        if name != "lend_book":
            return f"there is no tool {name}", True
        if book["lent_to"]:
            return f"{book['lent_to']} has it", True
        book["lent_to"] = arguments.get("to")
        return "lent", False

    def state(self):
        return {"books": self.books}

    def grade(self, messages, end):
        wanted = self.books[self.task["book"]]["lent_to"] == self.task["to"]
        stopped = end in ("agent-stop", "user-stop")
        return (1.0 if wanted and stopped else 0.0), {"books": wanted, "end": end}


class Domain:
    def begin(self, task_id):
        return Session(TASKS[task_id])
