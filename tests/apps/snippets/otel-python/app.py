import os

from flask import Flask

app = Flask(__name__)


@app.get("/")
def index():
    return "fine"


@app.get("/fail")
def fail():
    raise LookupError("the traced server of python fails")


app.run(host="127.0.0.1", port=int(os.environ["PORT"]))
