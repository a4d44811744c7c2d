// The job Look up.
const kinds = {code: 'code of a problem', clause: 'clause', reading: 'reading', mistake: 'mistake of signing', change: 'repair'};

async function showLookup() {
	const look = $('lookup').value;
	let r;
	try { r = await engine.ask({op: 'lookup', look}); } catch (e) { return; }
	if (look !== $('lookup').value) return;
	const list = (r.records || []).map((e, i) => h('article', {class: i < r.exact ? 'exact' : ''},
		h('h3', {}, e.id, h('span', {class: 'quiet'}, ' ' + [kinds[e.kind], e.severity, e.basis].filter(Boolean).join(', '))),
		h('p', {}, e.text),
		e.kind === 'code' && e.clause ? h('p', {class: 'quiet'}, e.clause + ': ' + e.where) : e.where ? h('p', {class: 'quiet'}, e.where) : null,
		e.help ? h('p', {}, e.help) : null, e.note ? h('p', {class: 'quiet'}, e.note) : null,
		e.good ? h('p', {class: 'quiet'}, 'Good: ', h('code', {}, e.good), e.bad ? ' Bad: ' : '', e.bad ? h('code', {}, e.bad) : null) : null,
		e.readings ? h('ul', {}, e.readings.map(x => h('li', {}, x.value ? h('code', {}, x.value) : null, x.value ? ': ' : '', x.text))) : null));
	$('found').replaceChildren(...(list.length ? list : [h('p', {}, 'Nothing has this in its id or text.')]), r.more ? h('p', {class: 'quiet'}, counted(r.more, 'more entry').replace('entrys', 'entries') + '; type more of it.') : '');
}
