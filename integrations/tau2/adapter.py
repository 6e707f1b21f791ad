"""Serves domains to Benchmaker over HTTP: five calls, one session for each conversation.

    python3 adapter.py --domain stand_in          # the plain domain beside this file
    python3 adapter.py --tau2 retail --port 8800  # a domain of tau2-bench, where tau2 is installed

A suite names the address: `environment: { http: 'http://127.0.0.1:8800' }`, and each case its `task`.
Only the standard library; tau2 is imported when it is asked for.
"""

import argparse
import importlib
import json
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Tau2Domain:
    """A domain of tau2-bench, unchanged: its own tools, state and evaluator."""

    def __init__(self, name):
        from tau2.evaluator.evaluator import EvaluationType, evaluate_simulation
        from tau2.registry import registry

        self.name = name
        self.constructor = registry.get_env_constructor(name)
        self.tasks = {task.id: task for task in registry.get_tasks_loader(name)()}
        self.evaluate, self.type = evaluate_simulation, EvaluationType.ALL

    def begin(self, task_id):
        task = self.tasks[task_id]
        environment = self.constructor()
        start = task.initial_state
        environment.set_state(
            initialization_data=getattr(start, "initialization_data", None),
            initialization_actions=getattr(start, "initialization_actions", None),
            message_history=getattr(start, "message_history", None) or [],
        )
        return Tau2Session(self, task, environment)


class Tau2Session:
    opening = "Hi! How can I help you today?"

    def __init__(self, domain, task, environment):
        self.domain, self.task, self.environment = domain, task, environment
        self.policy = environment.get_policy()
        self.tools = [self.describe(tool) for tool in environment.get_tools()]
        users = environment.get_user_tools() if environment.user_tools else []
        self.user_tools = [self.describe(tool) for tool in users]
        self.messages = []

    @staticmethod
    def describe(tool):
        return tool.openai_schema["function"]

    def call(self, name, arguments, by):
        from tau2.data_model.message import AssistantMessage, ToolCall, UserMessage

        requestor = "user" if by == "user" else "assistant"
        call = ToolCall(id=uuid.uuid4().hex, name=name, arguments=arguments, requestor=requestor)
        reply = self.environment.get_response(call)
        speaker = UserMessage if by == "user" else AssistantMessage
        self.messages += [speaker(role=requestor, tool_calls=[call]), reply]
        return reply.content, reply.error

    def state(self):
        tools, users = self.environment.tools, self.environment.user_tools
        state = tools.db.model_dump(mode="json") if tools and tools.db else {}
        if users is not None and users.db is not None and users.db is not tools.db:
            state["user"] = users.db.model_dump(mode="json")
        return state

    def grade(self, messages, end):
        from tau2.data_model.message import AssistantMessage
        from tau2.data_model.simulation import SimulationRun, TerminationReason

        reasons = {"user-stop": "user_stop", "agent-stop": "agent_stop", "tool-errors": "too_many_errors"}
        said = [
            AssistantMessage(role="assistant", content=message["content"])
            for message in messages
            if message["role"] == "assistant" and message.get("content") and not message.get("toolCalls")
        ]
        start = self.task.initial_state
        history = list(getattr(start, "message_history", None) or [])
        run = SimulationRun(
            id=uuid.uuid4().hex,
            task_id=self.task.id,
            start_time="",
            end_time="",
            duration=0.0,
            termination_reason=TerminationReason(reasons.get(end, "max_steps")),
            messages=history + self.messages + said,
        )
        reward = self.domain.evaluate(run, self.task, self.domain.type, False, self.domain.name)
        return reward.reward, json.loads(reward.model_dump_json())


class Adapter:
    def __init__(self, domain):
        self.domain, self.sessions, self.lock = domain, {}, threading.Lock()
        self.replies = {}

    def answer(self, method, parts, body, key=None):
        if method == "POST" and parts == ["sessions"]:
            return self.open(body)
        with self.lock:
            session = self.sessions.get(parts[1]) if len(parts) > 1 and parts[0] == "sessions" else None
        if session is None:
            return 404, {"error": "there is no such session"}
        what = (method, parts[2] if len(parts) > 2 else "")
        if what == ("POST", "call"):
            return 200, self.call(session, parts[1], body, key)
        if what == ("GET", "state"):
            return 200, session.state()
        if what == ("POST", "grade"):
            reward, breakdown = session.grade(body.get("messages") or [], body.get("end"))
            return 200, {"reward": reward, "breakdown": breakdown}
        if what == ("DELETE", ""):
            with self.lock:
                self.sessions.pop(parts[1], None)
                self.replies.pop(parts[1], None)
            return 200, {}
        return 404, {"error": "there is no such call"}

    def call(self, session, id, body, key):
        """A call whose reply was lost comes again with its key: it is answered again, not made again."""
        known = self.replies.setdefault(id, {})
        if key is None or key not in known:
            reply, error = session.call(body["name"], body.get("arguments") or {}, body.get("by", "agent"))
            answer = {"reply": reply, "error": bool(error)}
            if key is None:
                return answer
            # As it was then: a reply may be a part of the state.
            known[key] = json.loads(json.dumps(answer, default=str))
        return known[key]

    def open(self, body):
        with self.lock:
            id = body.get("session")
            session = self.sessions.get(id)
        if session is None:
            id = uuid.uuid4().hex
            try:
                session = self.domain.begin(str(body.get("task")))
            except KeyError:
                return 404, {"error": f"there is no task {body.get('task')}"}
            with self.lock:
                self.sessions[id] = session
        return 200, {
            "id": id,
            "policy": session.policy,
            "opening": session.opening,
            "tools": session.tools,
            "userTools": session.user_tools,
        }


def handler_of(adapter):
    class Handler(BaseHTTPRequestHandler):
        def reply(self):
            length = int(self.headers.get("content-length") or 0)
            body = json.loads(self.rfile.read(length) or b"{}")
            parts = [part for part in self.path.split("?")[0].split("/") if part]
            try:
                status, answer = adapter.answer(self.command, parts, body, self.headers.get("idempotency-key"))
            except Exception as error:  # A fault of a domain is an answer, not the end of the server.
                status, answer = 500, {"error": f"{type(error).__name__}: {error}"}
            data = json.dumps(answer, default=str).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_DELETE = reply

        def log_message(self, *_):
            pass

    return Handler


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--domain", help="a Python module with a class Domain")
    parser.add_argument("--tau2", help="the name of a domain of tau2-bench")
    parser.add_argument("--port", type=int, default=8800, help="0 for any")
    options = parser.parse_args()
    domain = Tau2Domain(options.tau2) if options.tau2 else importlib.import_module(options.domain or "stand_in").Domain()
    server = ThreadingHTTPServer(("127.0.0.1", options.port), handler_of(Adapter(domain)))
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
