import { Client } from "./gen/client.js";

const form = document.querySelector("form")!;
const input = document.querySelector("input")!;
const list = document.querySelector("ul")!;
const show = (textContent: string): void => list.prepend(Object.assign(document.createElement("li"), { textContent }));
let name = "";

const client = new Client("ws://127.0.0.1:7070/ws", {
    enter: async ({ requestJoin }) => { // on the first connection, and on each one after a break
        const { refusal, others } = await requestJoin({ name });
        if (refusal !== null) {
            throw new Error(refusal);
        }
        show("You are in. What you type is heard by all.");
        others.forEach((other) => show(`* ${other} is here.`));
    },
});
client.onSaid((said) => show(`${said.name}: ${said.text}`));
client.onPlayerCame((player) => show(`* ${player.name} is here.`));
client.onPlayerLeft((player) => show(`* ${player.name} has left.`));
client.on("reconnecting", () => show("The connection has broken."));
client.on("closed", ({ message }) => show(`Closed: ${message}`));

form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (client.state === "new") {
        name = input.value;
        client.connect().catch((error: Error) => show(error.message));
    } else {
        client.sendSay({ text: input.value });
    }
    input.value = "";
});
