// The job 403: a refused request, and the right one to compare.
const pemOf = text => text.includes('\n') ? text : text.replace(/(-----BEGIN [A-Z ]+-----)\s*/, '$1\n').replace(/\s*(-----END [A-Z ]+-----)/, '\n$1\n');

// keysOf are the keys that are given, as a request has them.
function keysOf() {
	const keys = {};
	if ($('private-key').value.trim()) keys.private_key = pemOf($('private-key').value.trim());
	else if ($('public-key').value.trim()) keys.public_key = pemOf($('public-key').value.trim());
	else if ($('secret').value) keys.secret = $('secret').value;
	return keys;
}

let requestBytes = null;

async function check() {
	const text = $('request').value, box = $('verdict');
	if (!text.trim() && !requestBytes) {
		box.hidden = true;
		box.replaceChildren();
		return;
	}
	engine.hold('request', requestBytes || new TextEncoder().encode(text));
	const request = {op: 'check', request: {held: 'request'}, as_of: today, ...keysOf()};
	if ($('base-string').value) request.base_string = $('base-string').value;
	let r;
	try { r = await engine.ask(request); } catch (e) { return; }
	box.hidden = false;
	if (r.error) {
		box.dataset.ok = 'false';
		box.dataset.causes = '';
		box.replaceChildren(h('h2', {}, r.error.code === 'entry' ? 'Which request?' : 'This cannot be judged'), h('p', {}, r.error.message + '.', r.error.help ? ' ' + r.error.help + '.' : ''), codeLink(r.error.code));
		return;
	}
	const c = r.records[0];
	box.dataset.ok = String(c.ok);
	box.dataset.causes = c.causes.flatMap(x => x.ids).join(',');
	const parts = [h('h2', {}, c.ok ? 'Acceptable' : 'Not acceptable'), h('p', {class: 'lead'}, r.conclusion),
		h('ul', {class: 'notes'}, h('li', {}, 'signature: ' + c.signature.replace('-', ' ')), c.rows === null ? null : h('li', {}, 'payload: ' + counted(c.rows, 'row') + ', ' + c.valid + ' usable'))];
	for (const cause of c.causes) parts.push(h('article', {class: 'exact'}, h('h3', {}, cause.ids.map(codeLink)), h('p', {}, cause.text.replace(/^./, c => c.toUpperCase()) + '.'), h('p', {}, h('b', {}, 'Fix: '), cause.fix + '.')));
	if (c.causes.length === 0 && r.known.length > 0 && c.signature === 'mismatch') parts.push(h('ul', {}, r.known.map(k => h('li', {}, k))));
	if (r.not_tried.length > 0) parts.push(h('ul', {class: 'quiet'}, r.not_tried.map(k => h('li', {}, 'not tried: ' + k))));
	const d = c.first_difference;
	if (d) parts.push(h('h3', {}, 'First difference of the base strings'), h('p', {}, d.text + ', byte ' + d.byte), h('pre', {}, 'right:  ' + d.ours + '\nsigned: ' + d.theirs));
	if (r.authorization) parts.push(h('h3', {}, 'Send this header'), h('pre', {id: 'right-header'}, 'Authorization: ' + r.authorization));
	else if (!c.ok && c.signature === 'mismatch') parts.push(h('p', {class: 'quiet'}, 'With the private key or the secret the right header is shown, too.'));
	if (c.findings.length > 0) parts.push(h('h3', {}, 'All that was found'), h('ul', {class: 'problems'}, c.findings.slice(0, 100).map(problemItem)), c.findings.length > 100 ? h('p', {class: 'quiet'}, (c.findings.length - 100) + ' more') : '');
	if (r.base_string) parts.push(h('details', {}, h('summary', {}, 'The right base string'), h('pre', {}, r.base_string), h('p', {class: 'quiet'}, 'Letters and digits of the body are shown as x.')));
	box.replaceChildren(...parts);
	const url = (text.match(/https?:\/\/[^\s'"]+/) || [''])[0];
	if (url && !$('sign-url').value && !/@/.test(url)) $('sign-url').value = url.split('?')[0];
	sign();
}

async function sign() {
	const out = $('signed'), keys = keysOf();
	if (!$('sign-part').open) return;
	const need = [];
	if (!$('sign-url').value) need.push('the URL');
	if (!keys.private_key && !keys.secret) need.push('the private key or the secret above');
	if (!$('sign-consumer').value) need.push('the consumer key');
	if (need.length) {
		out.replaceChildren(h('p', {class: 'quiet'}, 'Missing: ' + need.join(', ') + '.'));
		return;
	}
	const r = await engine.ask({
		op: 'sign', method: 'POST', url: $('sign-url').value, csv: current.source ? {held: current.name} : undefined, params: [], ...keys,
		oauth: {consumer_key: $('sign-consumer').value, nonce: $('sign-nonce').value, timestamp: $('sign-timestamp').value},
	}).catch(() => null);
	if (!r) return;
	if (r.error) {
		out.replaceChildren(h('p', {}, r.error.message + '. ' + (r.error.help || '')), codeLink(r.error.code));
		return;
	}
	const curl = "curl -i '" + $('sign-url').value.replaceAll("'", "'\\''") + "' \\\n  -H 'Authorization: " + r.authorization + "' \\\n  --data-raw '" + (typeof r.body === 'string' ? r.body : '') + "'\n";
	out.replaceChildren(h('h3', {}, 'Authorization'), h('pre', {}, r.authorization),
		h('p', {}, h('button', {type: 'button', onclick: () => download('request.sh', curl, 'text/x-shellscript')}, 'Download as a curl command')),
		h('ul', {class: 'problems'}, r.findings.map(problemItem)));
}

function newNonce() {
	$('sign-nonce').value = [...crypto.getRandomValues(new Uint8Array(12))].map(b => b.toString(16).padStart(2, '0')).join('');
	$('sign-timestamp').value = String(Math.floor(Date.now() / 1000));
}

function startCheck() {
	const soon = later(120, check);
	$('request').addEventListener('input', () => { requestBytes = null; soon(); });
	for (const id of ['public-key', 'secret', 'private-key', 'base-string']) $(id).addEventListener('input', soon);
	for (const id of ['sign-url', 'sign-consumer', 'sign-nonce', 'sign-timestamp']) $(id).addEventListener('input', later(120, sign));
	$('sign-part').addEventListener('toggle', sign);
	const take = async file => {
		try { requestBytes = await readFile(file); } catch (e) { say(e.message); return; }
		if (requestBytes.length < 200000) { $('request').value = new TextDecoder().decode(requestBytes); requestBytes = null; }
		else $('request').value = '';
		check();
	};
	$('request-file').addEventListener('change', e => { if (e.target.files[0]) take(e.target.files[0]); });
	dropOn($('job-check'), take);
	$('example-request').addEventListener('click', () => {
		requestBytes = null;
		$('request').value = new TextDecoder().decode(example('request'));
		$('public-key').value = new TextDecoder().decode(example('key'));
		check();
	});
	newNonce();
}
