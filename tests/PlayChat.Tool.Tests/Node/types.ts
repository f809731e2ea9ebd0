// Compiled, not run: the types of the generated client say what the C# messages say.
import { Client, type Colour, type Command, type Figure, type Lists, type Members, type Scalars, Suit, type Tree } from "./gen/client.js";

export function use(client: Client, scalars: Scalars, lists: Lists, members: Members, tree: Tree): void {
    const exact: bigint = scalars.long + scalars.uLong + (scalars.maybeLong ?? 0n);
    const text: string = scalars.time + scalars.bytes + scalars.duration + (scalars.maybeText ?? "");
    const suit: 0 | 5 | -1 = scalars.suit;
    const left: Tree | undefined = tree.left;
    const items: (string | null)[] = lists.texts;
    const day: "Sunday" | "Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" = members.day;
    const always: string | null = members.always;
    console.log(exact, text, suit, left, items, day, always, members["class-name"].length, Suit.Hearts);

    // The order of members does not matter, also where the server wants the kind first.
    const figure: Figure = { radius: 2, name: "a", $type: "circle" };
    const command: Command = { $type: "walk", to: { x: 1, y: 2 } };
    const colour: Colour = "Green";
    client.sendDraw({ figure, others: [], unit: { kind: 1, health: 2, armour: 3n }, units: {} });
    client.sendCommand(command);
    client.sendNothing();
    client.onTree(({ id, children }) => console.log(id + (children[0]?.id ?? 0n), colour));

    // @ts-expect-error A member is missing.
    client.sendTree({ id: 1n });
    // @ts-expect-error A number does not hold 64 bits.
    client.sendTree({ id: 1, children: [] });
    // @ts-expect-error There is no such kind.
    client.sendCommand({ $type: "run" });
    // @ts-expect-error The base says nothing of a radius.
    console.log(figure.side);
}
