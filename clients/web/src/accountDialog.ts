import type { ChatClient, Device } from "@playchat/client";
import { byId } from "./dom.js";
import { describe } from "./errors.js";

/** Changes the player's password, and lists the devices on which the player is logged in. */
export class AccountDialog {
    readonly #dialog = byId<HTMLDialogElement>("account-dialog");
    readonly #old = byId<HTMLInputElement>("account-old");
    readonly #next = byId<HTMLInputElement>("account-new");
    readonly #told = byId("account-told");
    readonly #devices = byId("account-devices");

    /** @param client The client that is logged in, if there is one. */
    constructor(private readonly client: () => ChatClient | undefined) {
        byId("account-close").addEventListener("click", () => this.close());
        byId("account-form").addEventListener("submit", (event) => {
            event.preventDefault();
            void this.#run("The password was changed. All other devices are logged out.", async (of) => {
                await of.changePassword(this.#old.value, this.#next.value);
                this.#old.value = this.#next.value = "";
            });
        });
    }

    open(): void {
        this.#old.value = this.#next.value = "";
        this.#dialog.showModal();
        void this.#run("", async () => {});
    }

    close(): void {
        this.#dialog.close();
    }

    /** Does something, and shows the devices that there are afterwards. */
    async #run(done: string, work: (client: ChatClient) => Promise<void>): Promise<void> {
        const client = this.client();
        if (client === undefined) {
            return;
        }
        try {
            await work(client);
            this.#told.textContent = done;
            this.#devices.replaceChildren(...(await client.listDevices()).map((device) => this.#describe(device)));
        } catch (error) {
            this.#told.textContent = describe(error);
        }
    }

    #describe(device: Device): HTMLElement {
        const item = document.createElement("li");
        const since = new Date(Number(device.sinceUnixMs)).toLocaleString();
        const lastUse = new Date(Number(device.lastSeenUnixMs)).toLocaleString();
        const state = device.isThis ? "this device"
            : device.offline ? `not connected, last login ${lastUse}`
            : device.away ? "connection lost" : device.address;
        item.textContent = `${device.clientVersion}, since ${since} (${state}${device.kept ? ", stays logged in" : ""}) `;
        if (!device.isThis) {
            const end = document.createElement("button");
            end.type = "button";
            end.textContent = "Log out there";
            end.addEventListener("click", () => void this.#run("", (client) => client.endDevice(device.deviceId)));
            item.append(end);
        }
        return item;
    }
}
