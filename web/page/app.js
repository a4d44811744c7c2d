// The page's own tools: elements, the engine in its worker, files, and money.
const $ = id => document.getElementById(id);

// h makes an element: attributes and listeners of an object, then children. Nothing is ever read as HTML.
function h(tag, of, ...children) {
	const e = document.createElement(tag);
	for (const [name, value] of Object.entries(of || {})) {
		if (value === undefined || value === null || value === false) continue;
		if (name.startsWith('on')) e.addEventListener(name.slice(2), value);
		else if (name in e && typeof value === 'boolean') e[name] = value;
		else e.setAttribute(name, value);
	}
	e.append(...children.flat(Infinity).filter(c => c !== null && c !== undefined && c !== ''));
	return e;
}

// The engine: one worker, which is ended and made again where its answer is no longer wanted.
const engine = {
	module: null, worker: null, ready: null, waiting: new Map(), last: 0, files: new Map(), given: new Set(), url: '',

	async load() {
		const element = $('engine');
		const packed = unpack(element.textContent);
		element.remove();
		const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
		this.module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
		this.url = URL.createObjectURL(new Blob([$('glue').textContent], {type: 'text/javascript'}));
		this.start();
		await this.ready;
	},

	start() {
		const worker = new Worker(this.url);
		this.worker = worker;
		this.given.clear();
		this.ready = new Promise(done => {
			worker.onmessage = event => {
				const m = event.data;
				if (m.ready) return done();
				if (m.progress) return progress(m.progress);
				const of = this.waiting.get(m.id);
				if (!of) return;
				this.waiting.delete(m.id);
				busy();
				if (m.failed) {
					of.fail(new Error('failed'));
					this.restart('failed');
				} else of.done(m.bytes || JSON.parse(m.reply));
			};
			worker.onerror = event => {
				event.preventDefault();
				this.restart('failed');
			};
		});
		worker.postMessage({module: this.module});
	},

	// restart ends what is under way.
	restart(why) {
		this.worker.terminate();
		for (const of of this.waiting.values()) of.fail(new Error(why));
		this.waiting.clear();
		this.start();
		busy();
	},

	// hold keeps the bytes of a file under a name; null forgets it.
	hold(name, bytes) {
		this.files.set(name, bytes);
		this.given.delete(name);
	},

	send(message) {
		const id = ++this.last;
		const hold = [];
		for (const [name, bytes] of this.files) {
			if (this.given.has(name)) continue;
			this.given.add(name);
			hold.push([name, bytes]);
		}
		const worker = this.worker;
		const answer = new Promise((done, fail) => this.waiting.set(id, {done, fail}));
		busy();
		this.ready.then(() => { if (worker === this.worker) worker.postMessage({id, hold, ...message}); });
		return answer;
	},

	ask(request) { return this.send({request: JSON.stringify(request)}); },
	take(name) { return this.send({take: name}); },
};

let slow = 0;

// busy says that something is under way, and after a while shows it, with a way to end it.
function busy() {
	clearTimeout(slow);
	const n = engine.waiting.size;
	if (n > 0) {
		document.body.dataset.busy = String(n);
		slow = setTimeout(() => {
			say('Computing …');
			$('cancel').hidden = false;
			$('status').querySelector('progress').hidden = false;
		}, 300);
		return;
	}
	delete document.body.dataset.busy;
	$('cancel').hidden = true;
	const bar = $('status').querySelector('progress');
	bar.hidden = true;
	bar.removeAttribute('value');
	say('');
}

function progress(rows) { say('Computing … ' + grouped(rows) + ' rows'); }
function say(text) { $('status').querySelector('span').textContent = text; }

const grouped = n => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
const counted = (n, noun) => grouped(n) + ' ' + noun + (n === 1 ? '' : 's');

// money shows an amount as it is, its thousands apart.
function money(s) {
	const [whole, part] = String(s).split('.');
	return grouped(whole) + (part === undefined ? '' : '.' + part);
}
const range = r => r.min === r.max ? money(r.min) : money(r.min) + ' – ' + money(r.max);
const amountOf = c => c.amount !== undefined ? money(c.amount) : money(c.min) + ' – ' + money(c.max);

// minus subtracts decimal numbers exactly.
function minus(a, b) {
	const places = Math.max(...[a, b].map(s => (String(s).split('.')[1] || '').length));
	const scaled = s => {
		const [whole, part = ''] = String(s).split('.');
		return BigInt(whole + part.padEnd(places, '0'));
	};
	const d = scaled(a) - scaled(b);
	const digits = String(d < 0n ? -d : d).padStart(places + 1, '0');
	const text = places ? digits.slice(0, -places) + '.' + digits.slice(-places) : digits;
	return (d < 0n ? '−' : '+') + money(text);
}
const isZero = s => !/[1-9]/.test(s);

const weekdays = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const dateOf = iso => new Date(iso + 'T00:00:00Z');
const iso = d => d.toISOString().slice(0, 10);
const monthName = (m, form = 'long') => dateOf(m + '-01').toLocaleDateString('en-GB', {month: form, year: 'numeric', timeZone: 'UTC'});
const dayName = d => dateOf(d).toLocaleDateString('en-GB', {weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC'});

const mostBytes = 256 * 1024 * 1024;

// readFile returns the bytes of a file.
async function readFile(file) {
	if (file.size > mostBytes) throw new Error('The file is larger than 256 MiB, the most that this page takes. The command has no such limit.');
	return new Uint8Array(await file.arrayBuffer());
}

function download(name, bytes, type) {
	const url = URL.createObjectURL(new Blob([bytes], {type}));
	const a = h('a', {href: url, download: name});
	a.click();
	setTimeout(() => URL.revokeObjectURL(url), 10000);
}

const later = (ms, f) => {
	let timer = 0;
	return () => { clearTimeout(timer); timer = setTimeout(f, ms); };
};

// dropOn takes files that are dropped on an element.
function dropOn(element, take) {
	element.addEventListener('dragover', e => { e.preventDefault(); element.classList.add('over'); });
	element.addEventListener('dragleave', () => element.classList.remove('over'));
	element.addEventListener('drop', e => {
		element.classList.remove('over');
		if (e.dataTransfer.files.length === 0) return;
		e.preventDefault();
		take(e.dataTransfer.files[0]);
	});
}

const examples = JSON.parse($('examples').textContent);
const example = name => Uint8Array.from(atob(examples[name]), c => c.charCodeAt(0));

// codeLink leads to what a code means.
function codeLink(id) {
	return h('a', {href: '#explain', class: 'code', onclick: () => { $('lookup').value = id; showLookup(); }}, id);
}

// problemItem is a problem at its place, with what to do.
function problemItem(p) {
	const place = [];
	if (p.file === 'script') place.push('what if, line ' + p.line);
	else if (p.file === 'actual') place.push('second file, line ' + p.line);
	else if (p.file === 'states') place.push('state file, line ' + p.line);
	else if (p.row) place.push('row ' + p.row);
	else if (p.line) place.push('line ' + p.line);
	const subject = p.column || p.parameter || p.field;
	if (subject) place.push(subject);
	return h('li', {'data-code': p.code, 'data-row': p.row || '', 'data-column': p.column || '', class: p.severity},
		h('b', {}, p.severity === 'error' ? 'Error' : 'Warning'), place.length ? ' ' + place.join(', ') + ': ' : ' ', p.message,
		p.help ? h('span', {class: 'help'}, p.help) : null, codeLink(p.code));
}
