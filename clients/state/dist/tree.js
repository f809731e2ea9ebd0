// Objects, lists and maps: proto/STATE.md, "Messages" and "Objects, lists and maps".
import * as Kinds from "./kinds.js";
import { add } from "./reader.js";
import {} from "./schema.js";
import { Watch } from "./watch.js";
// How a field is written: in an entry of one of the two blocks, or in a full object, there or left out.
export const relative = 0;
export const absolute = 1;
const full = 2;
const leftOut = 3;
// What a state has in all is counted after so many bytes of messages: counting costs time, and no message takes more memory than some
// multiple of its bytes.
const bytesPerAudit = 1024 * 1024;
/**
 * The objects of a state, by their numbers.
 *
 * Each object stands in one place: an object is made only for the place that it is read into, and a list gives back only objects that it
 * had itself. So the objects are a tree, and dropping one reaches exactly what is inside.
 */
export class StateTree {
    #reader;
    #limits;
    #objects = [];
    #nodes = new WeakMap();
    #collections = new WeakMap();
    /** Objects of this message whose number another one has taken. They must be gone at its end. */
    #displaced = [];
    #touched = [];
    #bytesSinceAudit = 0;
    constructor(reader, limits) {
        this.#reader = reader;
        this.#limits = limits;
    }
    /** The watch of an object; `undefined` if the object is not in the state. */
    watchObject(value) {
        const node = this.#nodes.get(value);
        return node?.isDropped === false ? node.watch ??= new Watch(this.#touched) : undefined;
    }
    watchCollection(collection) {
        const watch = this.#collections.get(collection) ?? new Watch(this.#touched);
        this.#collections.set(collection, watch);
        return watch;
    }
    readRoot(type) {
        const root = this.#objects[0];
        const node = root ?? this.#create(0, type, 1);
        this.#readFull(node, root === undefined);
        return node.value;
    }
    readBlock(count, form) {
        const reader = this.#reader;
        const objects = this.#objects;
        for (let i = 0, number = -1; i < count; i++) {
            number += reader.count(this.#limits.maxObjects, "unknown object") + 1;
            const node = objects[number];
            reader.check(node !== undefined, "unknown object");
            const low = this.#readMask(node);
            const high = reader.maskHigh;
            this.#readFields(node, low, 0, form);
            this.#readFields(node, high, 32, form);
        }
    }
    /** Checks what holds between messages, after one of so many bytes. Returns what handlers are to be told. */
    finish(bytes) {
        this.#reader.check(this.#displaced.every((node) => node.isDropped), "two objects with one number");
        this.#displaced = [];
        this.#bytesSinceAudit += bytes;
        if (this.#bytesSinceAudit >= bytesPerAudit) {
            this.#bytesSinceAudit = 0;
            this.#audit();
        }
        return this.#touched.splice(0).flatMap((watch) => watch.takeCalls());
    }
    #audit() {
        let items = 0;
        let characters = 0;
        const count = (value) => {
            if (typeof value === "string") {
                characters += value.length;
            }
            else if (value instanceof Map || Array.isArray(value)) {
                for (const [key, item] of value.entries()) {
                    items++;
                    count(key);
                    count(item);
                }
            }
        };
        for (const node of this.#objects) {
            Object.values(node?.value ?? {}).forEach(count);
        }
        this.#reader.check(items <= this.#limits.maxItems && characters <= this.#limits.maxTotalText, "too large a state");
    }
    #readMask({ type }) {
        const low = this.#reader.mask();
        this.#reader.check(((low & ~type.low) | (this.#reader.maskHigh & ~type.high)) === 0, "unknown field");
        return low;
    }
    #readFields(node, mask, firstSlot, form) {
        for (let bits = mask; bits !== 0; bits &= bits - 1) {
            this.#readField(node, firstSlot + 31 - Math.clz32(bits & -bits), form);
        }
    }
    #readFull(node, isNew) {
        const low = this.#readMask(node);
        const high = this.#reader.maskHigh;
        for (let slot = 0; slot < node.type.fields.length; slot++) {
            const isThere = ((slot < 32 ? low : high) >>> slot) & 1; // >>> takes the slot modulo 32
            if (isThere || !isNew) {
                this.#readField(node, slot, isThere ? full : leftOut);
            }
        }
    }
    #readField(node, slot, form) {
        const { value } = node;
        const { name, kind, initial } = node.type.fields[slot];
        const { code } = kind;
        if (code === Kinds.list) {
            this.#readList(kind.item, value[name], node.depth, form);
            return;
        }
        if (code === Kinds.map) {
            this.#readMap(kind, value[name], node.depth, form);
            return;
        }
        if (node.watch !== undefined) {
            node.watch.touch(name, value[name]);
        }
        if (code === Kinds.object) {
            const number = form === leftOut ? 0 : this.#readNumber();
            value[name] = this.#place(number, kind.type, value[name], node.depth);
        }
        else if (code < Kinds.fixed) {
            value[name] = form === leftOut ? initial : this.#readValue(kind);
        }
        else {
            const q = form === leftOut ? 0
                : form === relative ? add(node.quanta[slot] ?? 0, this.#reader.signed()) : this.#readQuantum(kind);
            node.quanta[slot] = q;
            value[name] = this.#toNumber(kind, q);
        }
    }
    /** Reads a value that is no object, outside of a relative field. */
    #readValue(kind) {
        const reader = this.#reader;
        switch (kind.code) {
            case Kinds.boolean: {
                const byte = reader.byte();
                reader.check(byte < 2, "invalid boolean");
                return byte === 1;
            }
            case Kinds.byte:
                return reader.byte();
            case Kinds.unsigned:
                return reader.unsigned();
            case Kinds.signed:
                return reader.signed();
            case Kinds.f32:
                return reader.f32();
            case Kinds.f64:
                return reader.f64();
            case Kinds.text:
                return reader.text(this.#limits.maxTextBytes);
            default:
                return this.#toNumber(kind, this.#readQuantum(kind));
        }
    }
    #readQuantum({ code }) {
        return code === Kinds.fixed ? this.#reader.signed() : this.#reader.unsigned();
    }
    #toNumber({ code, min, span, levels }, q) {
        this.#reader.check(code === Kinds.fixed || (q >= 0 && q <= levels), "out of range");
        return min + Number(q) * span / levels;
    }
    /** Reads a key that is neither null nor one of those. */
    #readKey(kind, taken) {
        const key = this.#readValue(kind);
        this.#reader.check(key !== null && !taken.has(key), "invalid key");
        return key;
    }
    #readNumber() {
        return this.#reader.count(this.#limits.maxObjects - 1, "number too high");
    }
    /** Reads an item or a map's value into the place of the current one. */
    #readItem(item, current, depth) {
        if (item.type === undefined) {
            return this.#readValue(item);
        }
        const value = this.#place(this.#readNumber(), item.type, current, depth);
        this.#reader.check(value !== null, "null as an item");
        return value;
    }
    /**
     * Reads an object in full into a place: the current one, when it has this number; else a new one, and the current one is dropped.
     * With the number 0 it only drops the current one.
     */
    #place(number, type, current, depth) {
        const known = this.#objects[number];
        if (known !== undefined && known.value === current) { // never the root, which is in no place
            this.#readFull(known, false);
            return current;
        }
        let value = null;
        if (number !== 0) {
            const node = this.#create(number, type, depth + 1);
            this.#readFull(node, true);
            value = node.value;
        }
        this.#drop(current);
        return value;
    }
    #create(number, type, depth) {
        const objects = this.#objects;
        // Without holes, so that engines keep it as a plain array.
        while (objects.length <= number) {
            objects.push(undefined);
        }
        const displaced = objects[number];
        if (displaced !== undefined) {
            this.#displaced.push(displaced);
        }
        const { maxDepth, maxObjects } = this.#limits;
        this.#reader.check(depth <= maxDepth && this.#displaced.length <= maxObjects, "too many objects");
        // Every object of a type gets its fields in the same order, so that engines give all of them one shape.
        const value = {};
        for (const { name, kind, initial } of type.fields) {
            value[name] = kind.code === Kinds.list ? [] : kind.code === Kinds.map ? new Map() : initial;
        }
        const node = { value, type, number, depth, quanta: [], watch: undefined, isDropped: false };
        objects[number] = node;
        this.#nodes.set(value, node);
        return node;
    }
    /** Drops an object with all inside it; does nothing for what is no object. */
    #drop(value) {
        const node = this.#nodes.get(value);
        if (node !== undefined) {
            node.isDropped = true;
            if (this.#objects[node.number] === node) {
                this.#objects[node.number] = undefined;
            }
            for (const { name, kind } of node.type.fields) {
                const inner = node.value[name];
                if (kind.code === Kinds.object) {
                    this.#drop(inner);
                }
                else if (kind.item?.type !== undefined) {
                    inner.forEach((item) => this.#drop(item));
                }
            }
        }
    }
    #readList(item, list, depth, form) {
        const reader = this.#reader;
        const { maxItems, maxObjects } = this.#limits;
        const { type } = item;
        let start = 0;
        let removed = list.length;
        if (form < full) {
            const head = reader.count(2 * maxItems + 1, "invalid place in a list");
            start = head >>> 1;
            const isWhole = (head & 1) === 1;
            reader.check(isWhole ? start === 0 : form === relative, "invalid place in a list");
            removed = isWhole ? removed : reader.count(removed - start, "invalid place in a list");
        }
        const inserted = form === leftOut ? 0 : reader.count(maxItems - list.length + removed, "too many items");
        const watch = this.#collections.get(list);
        for (let place = 0; place <= list.length; place++) { // with the end, so that handlers of an empty list hear of its first items
            watch?.touch(place, list[place]);
        }
        const tail = list.splice(start);
        const left = new Map(); // objects that the change has taken out
        for (let i = 0; type !== undefined && i < removed; i++) {
            const node = this.#nodes.get(tail[i]);
            left.set(node.number, node);
        }
        for (let i = 0; i < inserted; i++) {
            if (type === undefined) {
                list.push(this.#readValue(item));
                continue;
            }
            // In an entry, the lowest bit says whether an object in full follows; if not, the list has it.
            const head = form === full ? this.#readNumber() * 2 + 1 : reader.count(maxObjects * 2 - 1, "number too high");
            const number = head >>> 1;
            const current = left.get(number)?.value;
            left.delete(number);
            const value = (head & 1) === 0 ? current : this.#place(number, type, current, depth);
            reader.check(!!value, "unknown object");
            list.push(value);
        }
        left.forEach(({ value }) => this.#drop(value));
        for (let i = removed; i < tail.length; i++) {
            list.push(tail[i]);
        }
    }
    #readMap({ key: keyKind, item }, map, depth, form) {
        const reader = this.#reader;
        const { maxItems } = this.#limits;
        const watch = this.#collections.get(map);
        const set = new Set();
        const remove = (key) => {
            const value = map.get(key);
            watch?.touch(key, value);
            map.delete(key);
            this.#drop(value);
        };
        for (let i = form < full ? reader.count(maxItems, "too many items") : 0; i > 0; i--) {
            remove(this.#readKey(keyKind, set));
        }
        for (let i = form === leftOut ? 0 : reader.count(maxItems, "too many items"); i > 0; i--) {
            const key = this.#readKey(keyKind, set);
            set.add(key);
            const current = map.get(key);
            watch?.touch(key, current);
            map.set(key, this.#readItem(item, current, depth));
        }
        if (form >= full) {
            map.forEach((_, key) => set.has(key) || remove(key)); // a full map has no others than it names
        }
        reader.check(map.size <= maxItems, "too many items");
    }
}
