// A webhook's signing secret, which is shown once, with a receiver that verifies signatures, and a test of it.
import type { DestinationFacts } from "#contract/dashboard/destinations.ts";
import { SecretField } from "../../parts/secret-field.tsx";
import { ShownOnceDialog } from "../../parts/shown-once-dialog.tsx";
import { SnippetTabs } from "../../parts/snippet-tabs.tsx";
import { SendTest } from "./send-test.tsx";

type Props = { title: string; destination: DestinationFacts; secret: string; onClose(): void };

export function SecretDialog({ title, destination, secret, onClose }: Props) {
  return (
    <ShownOnceDialog
      sticky="The signing secret cannot be shown again."
      onClose={onClose}
      title={title}
      description="Copy the signing secret now: your server verifies with it that events come from here."
    >
      <SecretField label="Signing secret" secret={secret} />
      <SnippetTabs texts={receivers} />
      <SendTest destination={destination} />
    </ShownOnceDialog>
  );
}

/** The secret is in the environment of the receiver, and in no code. */
const receivers = {
  Node: `// npm install express standardwebhooks
const express = require("express");
const { Webhook } = require("standardwebhooks");

// SIGNING_SECRET holds the secret.
const webhook = new Webhook(process.env.SIGNING_SECRET);
const app = express();
app.post("/", express.text({ type: "application/json" }), (req, res) => {
  try {
    const event = webhook.verify(req.body, req.headers);
    console.log(event.type, event.data);
    res.sendStatus(204);
  } catch {
    res.sendStatus(401);
  }
});
app.listen(3000);`,
  Python: `# pip install flask standardwebhooks
import os
from flask import Flask, request
from standardwebhooks import Webhook

# SIGNING_SECRET holds the secret.
webhook = Webhook(os.environ["SIGNING_SECRET"])
app = Flask(__name__)

@app.post("/")
def receive():
    try:
        event = webhook.verify(request.data, request.headers)
    except Exception:
        return "", 401
    print(event["type"], event["data"])
    return "", 204`,
};
