// A web server of static files, for the built site.
// Usage: node serve.mjs FOLDER BASE PORT
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const types = {
    ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".json": "application/json", ".png": "image/png",
    ".svg": "image/svg+xml",
};

/** Serves a folder on 127.0.0.1; port 0 takes a free one. */
export async function serve(folder, base, port) {
    const server = createServer((request, response) => {
        const path = normalize(decodeURIComponent(new URL(request.url, "http://site").pathname));
        let file = path.startsWith(base) ? join(folder, path.slice(base.length)) : null;
        if (file !== null && existsSync(file) && statSync(file).isDirectory()) {
            file = join(file, "index.html");
        }
        const found = file !== null && existsSync(file);
        response.writeHead(found ? 200 : 404, { "Content-Type": `${types[extname(found ? file : ".html")] ?? "text/plain"}; charset=utf-8` });
        createReadStream(found ? file : join(folder, "404.html")).pipe(response);
    });
    await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
    return server;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const [folder, base, port] = process.argv.slice(2);
    const server = await serve(folder, base, Number(port)).catch(error => {
        console.error(`site: ${error.message}`);
        process.exit(1);
    });
    console.log(`http://127.0.0.1:${server.address().port}${base}`);
}
