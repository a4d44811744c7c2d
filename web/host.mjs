#!/usr/bin/env node
// The engine of the page in node: one JSON request a line on stdin, one JSON reply a line on stdout, the protocol
// chargecast.conform/1 and the operations beside it.
//
//	chargecast-conform -- node web/host.mjs [PAGE]
//
// PAGE is the page with the engine in it; without it chargecast.html in this directory, which is made where it is not there.
import {readFileSync, existsSync} from 'node:fs';
import {spawnSync} from 'node:child_process';
import {createInterface} from 'node:readline';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gunzipSync} from 'node:zlib';
import {runInThisContext} from 'node:vm';

const here = dirname(fileURLToPath(import.meta.url));
const path = process.argv[2] || join(here, 'chargecast.html');
if (!existsSync(path)) {
	const made = process.argv[2] ? {status: 1} : spawnSync('go', ['run', '-C', here, '.', '--out', path], {stdio: ['ignore', 2, 2]});
	if (made.status !== 0) {
		console.error('host.mjs: there is no page: go run -C web . --out chargecast.html');
		process.exit(2);
	}
}
const page = readFileSync(path, 'latin1');
const part = id => {
	const start = page.indexOf('>', page.indexOf(`<script id="${id}"`)) + 1;
	return page.slice(start, page.indexOf('</script>', start));
};

// unpack is the page's.
runInThisContext(readFileSync(join(here, 'page', 'unpack.js'), 'utf8'));
const glue = part('glue');
runInThisContext(glue.slice(0, glue.indexOf('// The worker:')) + '\n;globalThis.Go = globalThis.Go;');
const go = new Go();
const ready = new Promise(done => { globalThis.chargecastReady = done; });
const {instance} = await WebAssembly.instantiate(gunzipSync(unpack(part('engine'))), go.importObject);
go.run(instance);
await ready;
for await (const line of createInterface({input: process.stdin, crlfDelay: Infinity})) {
	if (line.trim() !== '') process.stdout.write(globalThis.chargecastAnswer(line));
}
process.exit(0);
