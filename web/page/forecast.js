// The job Forecast.
const most = 500, mostOfProfile = 5000, mostCompared = 2000;
const today = iso(new Date());
// current is the payload: its bytes are held as payload, those of a repaired one as payload-fixed.
const current = {source: '', name: 'payload', answer: null, base: null, policy: {}, readings: null, script: [], charged: {}, states: '', actual: false, months: 24, profile: ''};
let generation = 0;

const marks = {stated: '', observed: '=', inferred: '~', assumed: '?'};

// question is what every request about the payload has.
function question(op, more) {
	const q = {op, csv: {held: current.name}, as_of: $('as-of').value, until: $('until').value, zone: '', policy: current.policy, script: current.script, most, ...more};
	const states = current.states + Object.entries(current.charged).map(([profile, repeat]) => JSON.stringify({profile, repeat}) + '\n').join('');
	if (states) q.states = states;
	return q;
}

// refresh answers again. What is under way is ended.
async function refresh(repairs) {
	const g = ++generation;
	if (!engine.worker) return;
	if (engine.waiting.size > 0) engine.restart('superseded');
	if (!current.source || !$('as-of').value || !$('until').value) {
		for (const id of ['answer', 'problems-part', 'repair', 'judge-all']) $(id).hidden = true;
		$('problems').replaceChildren();
		return;
	}
	try {
		current.name = 'payload';
		let answer = await engine.ask(question('overview')), fix = null, used = false, about = [];
		if (g !== generation) return;
		const wrong = (answer.problems || []).filter(p => p.severity === 'error');
		if (wrong.length || answer.unreadable || useRepair || Object.keys(decisions).length) {
			fix = await engine.ask({op: 'fix', csv: {held: 'payload'}, most: 1, ...decisions});
			if (g !== generation) return;
			const whole = answer.unreadable || wrong.some(p => !p.row);
			used = !fix.error && (fix.changes > 0 || fix.refused > 0) && (whole || useRepair || Object.keys(decisions).length > 0) && fix.problems.every(p => p.severity !== 'error');
			if (used) {
				const bytes = await engine.take('payload-fixed');
				engine.files.set('payload-fixed', bytes);
				current.name = 'payload-fixed';
				if (!fix.ok) about = wrong.filter(p => !p.row);
				answer = await engine.ask(question('overview'));
				if (g !== generation) return;
			}
		}
		let base = null;
		if (Object.keys(current.policy).length > 0) base = await engine.ask(question('overview', {policy: {}}));
		if (g !== generation) return;
		showRepair(fix, used);
		current.answer = answer;
		current.base = base;
		await show(answer, base, about);
		$('problems-part').open = !used || fix.ok;
		if (g !== generation) return;
		$('answer').dataset.ready = String(g);
		if (current.profile) await showCharges();
		if (current.actual) await reconcile();
		if (!answer.error && answer.rows <= mostCompared) await compareReadings();
	} catch (e) {
		if (e.message === 'superseded' || g !== generation) return;
		say(e.message === 'canceled' ? 'Canceled.' : 'This cannot be computed here: the file may need more memory than the page has. The command reads it in little.');
		$('answer').hidden = true;
	}
}

async function show(r, base, about) {
	if (r.error) {
		$('answer').hidden = true;
		$('problems-part').hidden = false;
		$('problems').replaceChildren(problemItem({...r.error, severity: 'error'}));
		$('problems-more').textContent = '';
		return;
	}
	const judged = $('all-columns').checked ? await engine.ask({op: 'validate', csv: {held: current.name}, as_of: $('as-of').value}) : null;
	const found = judged ? judged.problems : r.problems, known = new Set(found.map(p => p.code + p.column + p.message));
	const problems = [...about.filter(p => !known.has(p.code + p.column + p.message)), ...found];
	const shown = problems.slice(0, 300);
	$('problems').replaceChildren(...shown.map(problemItem));
	const kept = r.problems.length, all = Object.values(r.counts).reduce((a, b) => a + b, 0);
	const left = judged ? problems.length - shown.length : all - kept + problems.length - shown.length;
	$('problems-more').textContent = left > 0 ? counted(left, 'more problem') + ' of the same kinds.' : '';
	$('problems-part').hidden = problems.length === 0;
	const s = r.summary;
	$('judge-all').hidden = s.unsendable === 0 && !$('all-columns').checked;
	$('answer').hidden = s.profiles === 0;
	if (s.profiles === 0) return;
	showSums(r, base);
	showTotals(r, base);
	showCalendar(r);
	showProfiles(r);
	showChoices(r);
	showCards(r);
	if (!current.profile) listCharges(r.charges, s.charges);
}

const byCurrency = list => new Map(list.map(s => [s.currency, s.total]));

function showSums(r, base) {
	const was = base ? byCurrency(base.sums) : new Map();
	$('sums').replaceChildren(...r.sums.map(s => h('div', {}, h('dt', {}, s.currency + ', ' + counted(s.total.charges, 'charge')), h('dd', {}, range(s.total),
		s.total.min === s.total.max ? null : h('span', {}, 'mean ' + money(s.total.mean)),
		was.has(s.currency) ? moved(was.get(s.currency), s.total) : null))));
	if (r.sums.length === 0) $('sums').replaceChildren(h('div', {}, h('dt', {}, 'No charge'), h('dd', {}, '–')));
	const s = r.summary, notes = [counted(s.profiles, 'profile') + ' from ' + dayName(r.header.as_of) + ' until ' + dayName(r.header.until)];
	if (s.left_out) notes.push(counted(s.left_out, 'row') + ' left out for errors');
	if (s.taken_as_new) notes.push(counted(s.taken_as_new, 'profile') + ' began before the as-of date and ' + (s.taken_as_new === 1 ? 'is' : 'are') + ' taken as new: say below what was charged already');
	if (s.card_expired) notes.push(counted(s.card_expired, 'charge') + ' after the card’s expiry');
	if (s.unsendable) notes.push(counted(s.unsendable, 'row') + ' could not be sent as ' + (s.unsendable === 1 ? 'it is' : 'they are'));
	if (s.unused) notes.push(counted(s.unused, 'event') + ' below had no effect');
	$('notes').replaceChildren(...notes.map(n => h('li', {}, n)));
}

// moved is what other readings move, beside the old.
function moved(was, is) {
	const low = minus(is.min, was.min), high = minus(is.max, was.max);
	return h('span', {class: 'moved'}, (isZero(low) && isZero(high) ? 'as by default' : 'by default ' + range(was) + ', now ' + (low === high ? low : low + ' to ' + high)));
}

function showTotals(r, base) {
	const rows = [], was = new Map((base ? base.months : []).map(m => [m.month + m.currency, m]));
	const quarterOf = m => m.slice(0, 4) + '-Q' + Math.ceil(Number(m.slice(5)) / 3);
	const quarters = new Map();
	for (const q of r.quarters) quarters.set(q.quarter, [...(quarters.get(q.quarter) || []), q]);
	const cells = t => [h('td', {class: 'n'}, t.charges), h('td', {class: 'n'}, range(t)),
		h('td', {class: 'n quiet'}, t.min === t.max ? '' : 'mean ' + money(t.mean))];
	const months = new Map();
	for (const m of r.months) months.set(m.month + m.currency, m);
	for (const [key, m] of was) if (!months.has(key)) months.set(key, {...m, charges: 0, min: '0', max: '0', mean: '0'});
	const list = [...months.values()].sort((a, b) => a.month < b.month ? -1 : a.month > b.month ? 1 : a.currency < b.currency ? -1 : 1);
	list.forEach((m, i) => {
		const old = was.get(m.month + m.currency);
		rows.push(h('tr', {'data-month': m.month, 'data-currency': m.currency, 'data-min': m.min, 'data-max': m.max}, h('th', {scope: 'row'}, monthName(m.month, 'short')), h('td', {}, m.currency), cells(m),
			base ? h('td', {class: 'n moved'}, old ? (isZero(minus(m.min, old.min)) && isZero(minus(m.max, old.max)) ? 'same' : range(old)) : 'nothing') : null));
		const q = quarterOf(m.month);
		if (i + 1 === list.length || quarterOf(list[i + 1].month) !== q)
			for (const t of quarters.get(q) || []) rows.push(h('tr', {class: 'quarter', 'data-quarter': q}, h('th', {scope: 'row'}, q.replace('-Q', ', quarter ')), h('td', {}, t.currency), cells(t), base ? h('td', {}) : null));
	});
	$('totals').replaceChildren(h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'Month'), h('th', {scope: 'col'}, 'Currency'), h('th', {class: 'n', scope: 'col'}, 'Charges'), h('th', {class: 'n', scope: 'col'}, 'Sum'), h('td', {}), base ? h('th', {class: 'n', scope: 'col'}, 'By default') : null)), h('tbody', {}, rows));
}

// showCalendar shows months as grids. One day is reached with Tab, the others with the arrow keys.
function showCalendar(r) {
	const days = new Map();
	for (const t of r.days) days.set(t.date, [...(days.get(t.date) || []), t]);
	const counts = {};
	for (const s of r.sums) counts[s.currency] = s.total.charges;
	const main = Object.keys(counts).sort((a, b) => counts[b] - counts[a])[0];
	const highest = Math.max(1, ...r.days.filter(t => t.currency === main).map(t => Number(t.max)));
	const first = r.header.as_of, last = r.header.until, months = [];
	let firstDay = true, cut = false;
	for (let m = first.slice(0, 7); m <= last.slice(0, 7); m = iso(new Date(Date.UTC(Number(m.slice(0, 4)), Number(m.slice(5)), 1))).slice(0, 7)) {
		if (months.length === current.months) { cut = true; break; }
		const start = dateOf(m + '-01'), weeks = [];
		let week = Array((start.getUTCDay() + 6) % 7).fill(null).map(() => h('td', {}));
		for (let d = start; iso(d).slice(0, 7) === m; d = new Date(d.getTime() + 86400000)) {
			const day = iso(d), totals = days.get(day) || [], n = totals.reduce((a, t) => a + t.charges, 0);
			const of = totals.find(t => t.currency === main) || totals[0];
			const shade = n === 0 ? 0 : Math.max(1, Math.min(4, Math.ceil(4 * Number((of && of.currency === main ? of.max : 0)) / highest)));
			const label = dayName(day) + ': ' + (n === 0 ? 'nothing' : totals.map(t => counted(t.charges, 'charge') + ', ' + t.currency + ' ' + range(t)).join('; '));
			const inside = day >= first && day <= last;
			week.push(h('td', {}, inside ? h('button', {type: 'button', class: 'day s' + shade, 'data-date': day, title: label, tabindex: firstDay ? '0' : '-1', onclick: () => showDay(day)}, h('span', {class: 'unseen'}, label), h('b', {'aria-hidden': 'true'}, d.getUTCDate()), n ? h('span', {'aria-hidden': 'true'}, n) : null) : h('span', {class: 'day out'}, d.getUTCDate())));
			if (inside) firstDay = false;
			if (week.length === 7) { weeks.push(week); week = []; }
		}
		if (week.length) weeks.push(week);
		months.push(h('table', {class: 'month'}, h('caption', {}, monthName(m)), h('thead', {}, h('tr', {}, weekdays.map(w => h('th', {scope: 'col'}, w)))), h('tbody', {}, weeks.map(w => h('tr', {}, w)))));
		if (m >= '9999-12') break;
	}
	$('calendar').replaceChildren(...months, cut ? h('p', {}, h('button', {type: 'button', class: 'link', onclick: () => { current.months += 24; showCalendar(r); }}, 'Show more months')) : '');
}

function moveDay(event) {
	const from = event.target.closest('button.day');
	const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, PageUp: -30, PageDown: 30}[event.key];
	if (!from || !step) return;
	event.preventDefault();
	const to = $('calendar').querySelector('button.day[data-date="' + iso(new Date(dateOf(from.dataset.date).getTime() + step * 86400000)) + '"]');
	if (!to) return;
	from.tabIndex = -1;
	to.tabIndex = 0;
	to.focus();
}

// showDay lists what is charged on a day, and why where that is clear.
async function showDay(day) {
	const r = await engine.ask(question('overview', {from: day, until: day, profile: current.profile})).catch(() => null);
	if (!r) return;
	for (const b of $('calendar').querySelectorAll('[aria-pressed]')) b.removeAttribute('aria-pressed');
	const button = $('calendar').querySelector('button.day[data-date="' + day + '"]');
	if (button) button.setAttribute('aria-pressed', 'true');
	const charges = r.error ? [] : r.charges, names = new Set(charges.map(c => c.profile));
	const list = charges.map(c => h('li', {}, h('button', {type: 'button', class: 'link', onclick: () => why(c.profile, day)}, c.profile), ' ' + amountOf(c) + ' ' + c.currency + ' ' + marks[c.basis]));
	const others = current.answer.profiles.filter(p => !names.has(p.profile) && (!current.profile || p.profile === current.profile)).slice(0, 30);
	$('day').replaceChildren(h('h3', {}, dayName(day)), charges.length ? h('ul', {class: 'plain'}, list) : h('p', {}, 'Nothing is charged on this day.'),
		!r.error && r.summary.charges > charges.length ? h('p', {class: 'quiet'}, counted(r.summary.charges - charges.length, 'more charge')) : '',
		others.length && charges.length !== 1 ? h('p', {class: 'quiet'}, 'Why not: ', others.flatMap(p => [h('button', {type: 'button', class: 'link', onclick: () => why(p.profile, day)}, p.profile), ' '])) : '');
	const first = current.profile || (charges[0] || others[0] || {}).profile;
	if (first) await why(first, day);
}

// here turns what the command would say into what can be done on this page.
const here = text => text.replace(/give --as-of (\S+), the day it began, or --charged N, how often/, 'choose $1, the day it began, as the as-of date, or say below how often')
	.replace('give --charged N, how often', 'say below how often').replace(/--charged N/g, 'the number of charges made');

async function why(profile, day) {
	const r = await engine.ask(question('explain', {profile, on: day})).catch(() => null);
	if (!r) return;
	$('why-part').hidden = false;
	const box = $('why');
	if (r.error) {
		$('why-title').textContent = 'Why';
		box.replaceChildren(h('p', {}, r.error.message + '.'));
		return;
	}
	const w = r.records[0], step = s => h('li', {}, here(s.text), ' ', s.because.map(b => [codeLink(b.clause), h('span', {class: 'quiet'}, ' ' + b.basis + ' ')]));
	$('why-title').textContent = 'Why: ' + w.profile + ' on ' + dayName(day);
	const near = d => d ? h('button', {type: 'button', class: 'link', onclick: () => why(profile, d)}, dayName(d)) : 'none';
	box.replaceChildren(h('p', {class: 'lead'}, r.headline.replace(/^./, c => c.toUpperCase()) + '.'),
		r.plain ? h('p', {}, r.plain) : '',
		h('ol', {class: 'steps'}, w.sentences.map(step)),
		h('p', {}, 'Nearest charges: ', near(w.nearest.before), ' before, ', near(w.nearest.after), ' after.'),
		w.other.length ? h('p', {}, 'Another reading would change this day:') : h('p', {class: 'quiet'}, 'No other reading changes this day.'),
		w.other.length ? h('ul', {}, w.other.map(o => h('li', {}, codeLink(o.policy), ' ', o.refused ? 'the profile is refused' : o.charge ? amountOf(o.charge) + ' ' + o.charge.currency + ', repeat ' + o.charge.repeat : 'no charge'))) : '');
	if (document.activeElement && document.activeElement.closest('#charges, #day, #why')) $('why-title').focus();
	$('why-part').scrollIntoView({block: 'nearest'});
}

let listed = [];

function listCharges(charges, of) {
	listed = charges;
	const simulated = current.script.length > 0;
	$('charges-note').textContent = of > charges.length ? 'the first ' + grouped(charges.length) + ' of ' + grouped(of) + ' charges; choose a profile for its own' : counted(of, 'charge');
	const rows = charges.map(c => {
		const data = {'data-profile': c.profile, 'data-repeat': c.repeat, 'data-date': c.date, 'data-currency': c.currency};
		if (c.amount !== undefined) data['data-amount'] = c.amount;
		else Object.assign(data, {'data-min': c.min, 'data-max': c.max});
		return h('tr', {...data, onclick: e => { if (!e.target.closest('button')) why(c.profile, c.date); }}, h('th', {scope: 'row'}, c.profile), h('td', {}, h('button', {type: 'button', class: 'link', onclick: () => why(c.profile, c.date)}, dayName(c.date))),
			h('td', {class: 'n'}, amountOf(c)), h('td', {}, c.currency), h('td', {class: 'n'}, c.repeat), h('td', {}, h('span', {class: 'basis', title: c.basis + ': ' + c.on}, marks[c.basis])),
			h('td', {class: 'quiet'}, [c.outcome === 'declined' ? 'declined' : '', c.kind === 'manual' ? 'manual' : '', c.slot ? 'for ' + dayName(c.slot) : '', c.card_expired ? 'card expired' : ''].filter(Boolean).join(', ')));
	});
	$('charges').replaceChildren(h('thead', {}, h('tr', {}, ['Profile', 'Date, and why', 'Amount', 'Currency', 'Repeat', 'Basis', simulated ? 'Outcome' : 'Note'].map((t, i) => h('th', {scope: 'col', class: i === 2 || i === 4 ? 'n' : ''}, t)))), h('tbody', {}, rows));
}

async function showCharges() {
	if (!current.profile) return listCharges(current.answer.charges, current.answer.summary.charges);
	const r = await engine.ask(question('overview', {profile: current.profile, most: mostOfProfile})).catch(() => null);
	if (r && !r.error) listCharges(r.charges, r.summary.charges);
}

function csvOf(charges) {
	const cell = v => v === undefined || v === null ? '' : /[",\n\r]/.test(v) ? '"' + String(v).replaceAll('"', '""') + '"' : String(v);
	const columns = ['profile', 'row', 'repeat', 'date', 'slot', 'amount', 'min', 'max', 'currency', 'kind', 'outcome'];
	return [columns.join(','), ...charges.map(c => columns.map(k => cell(c[k])).join(','))].join('\r\n') + '\r\n';
}

function showProfiles(r) {
	const rows = r.profiles.map(p => h('tr', {'data-profile': p.profile}, h('th', {scope: 'row'}, h('button', {type: 'button', class: 'link', onclick: () => { choose(p.profile); $('charges').scrollIntoView(); }}, p.profile)),
		h('td', {class: 'n'}, p.total ? p.total.charges : 0), h('td', {class: 'n'}, p.total ? range(p.total) : ''), h('td', {}, p.total ? p.total.currency : ''),
		h('td', {}, p.end.stop ? 'stops on ' + dayName(p.end.stop.date) + ' (' + p.end.stop.reasons.join(', ') + ')' : p.end.status)));
	const more = r.summary.profiles - r.profiles.length;
	$('profiles').replaceChildren(h('thead', {}, h('tr', {}, ['Profile', 'Charges', 'Sum', 'Currency', 'At the end'].map((t, i) => h('th', {scope: 'col', class: i === 1 || i === 2 ? 'n' : ''}, t)))), h('tbody', {}, rows, more > 0 ? h('tr', {}, h('td', {colspan: 5}, counted(more, 'more profile'))) : null));
}

function showCards(r) {
	$('cards-part').hidden = r.cards.length === 0;
	$('cards').replaceChildren(h('thead', {}, h('tr', {}, ['Profile', 'Card until', 'Charges after it', 'Sum'].map((t, i) => h('th', {scope: 'col', class: i > 1 ? 'n' : ''}, t)))), h('tbody', {}, r.cards.map(p => h('tr', {}, h('th', {scope: 'row'}, p.profile), h('td', {}, monthName(p.card_expires)),
		h('td', {class: 'n'}, p.total && p.total.card_expired ? p.total.card_expired.charges : ''), h('td', {class: 'n'}, p.total && p.total.card_expired ? range(p.total.card_expired) + ' ' + p.total.currency : '')))));
}

// showChoices fills the lists of profiles.
function showChoices(r) {
	const names = r.profiles.map(p => p.profile);
	if (current.profile && !names.includes(current.profile)) current.profile = '';
	const fill = (id, first, value) => {
		$(id).replaceChildren(...(first ? [h('option', {value: ''}, first)] : []), ...names.map(n => h('option', {value: n}, n)));
		$(id).value = names.includes(value) || value === '' && first ? value : names[0];
	};
	fill('profile', 'all', current.profile);
	fill('script-profile', 'every profile', $('script-profile').value || '');
	fill('charged-profile', '', $('charged-profile').value || names[0]);
}

function choose(profile) {
	current.profile = profile;
	$('profile').value = profile;
	showCharges();
}

const deeds = {stop: 'stopped', resume: 'resumed', charge: 'charged manually', 'no-run': 'no charging run'};

function showScript() {
	$('script').replaceChildren(...current.script.map((line, i) => h('li', {}, (line.profile || 'every profile') + ': ' + (line.outcome ? 'repeat ' + line.repeat + ' is declined' : deeds[line.do] + ' on ' + dayName(line.date)), ' ',
		h('button', {type: 'button', class: 'link', onclick: () => { current.script.splice(i, 1); showScript(); refresh(); }}, 'Remove'))));
}

function addToScript(event) {
	event.preventDefault();
	const what = $('script-do').value, profile = $('script-profile').value;
	const line = what === 'declined' ? {repeat: Number($('script-repeat').value || 0), outcome: 'declined'} : {date: $('script-date').value, do: what};
	if (what !== 'declined' && !line.date) { $('script-date').focus(); return; }
	if (what === 'resume') line.via = 'ui';
	if (profile) line.profile = profile;
	current.script.push(line);
	current.script.sort((a, b) => (a.date || '') < (b.date || '') ? -1 : (a.date || '') > (b.date || '') ? 1 : 0);
	showScript();
	refresh();
}

// compareReadings shows the readings as switches, with the money that each would move.
async function compareReadings() {
	const g = generation, r = await engine.ask(question('compare', {script: []})).catch(() => null);
	if (!r || r.error || g !== generation) return;
	const moves = new Map();
	for (const c of r.records) moves.set(c.key, [...(moves.get(c.key) || []), c]);
	const of = current.answer.readings.filter(k => moves.has(k.key) || k.value !== k.default);
	const item = k => {
		const id = 'reading-' + k.key;
		const select = h('select', {id, 'data-key': k.key, autocomplete: 'off', onchange: e => {
			if (e.target.value === k.default) delete current.policy[k.key];
			else current.policy[k.key] = e.target.value;
			refresh();
		}}, k.choices.map(c => h('option', {value: c.value}, c.value + (c.value === k.default ? ' (default)' : ''))));
		select.value = k.value;
		return h('li', {}, h('label', {for: id}, k.question + ' '), select, ' ', codeLink(k.clause), h('span', {class: 'quiet'}, ' ' + k.basis),
			h('span', {class: 'help'}, (k.choices.find(c => c.value === k.value) || {}).text),
			h('ul', {class: 'quiet'}, (moves.get(k.key) || []).map(c => h('li', {}, h('b', {}, c.value), ' would change ' + counted(c.profiles, 'profile') + (c.refused ? ', ' + c.refused + ' of them refused' : '') + ', first on ' + dayName(c.first) + ': ',
				c.totals.map(t => t.currency + ' ' + (isZero(minus(t.is.min, t.was.min)) && isZero(minus(t.is.max, t.was.max)) ? 'the same sum, on other days' : range(t.was) + ' → ' + range(t.is) + ' (' + minus(t.is.max, t.was.max) + ')')).join('; ')))));
	};
	$('readings').replaceChildren(of.length ? h('ul', {class: 'questions'}, of.map(item)) : '');
	const others = Object.keys(current.policy).length;
	$('readings-note').replaceChildren(of.length ? 'Where the document is silent, this is how it is read; these readings matter here. ' : 'No reading of what the document leaves open changes anything here. ',
		others ? h('button', {type: 'button', class: 'link', onclick: () => { current.policy = {}; refresh(); }}, 'Back to the defaults') : '');
}

const matchKinds = {matched: 'as forecast', late: 'late', amount: 'another amount', missing: 'missing', extra: 'not expected', unknown: 'of no profile here'};

async function reconcile() {
	if (!current.actual) return;
	const names = {};
	for (const input of $('actual-names').querySelectorAll('input')) if (input.value.trim()) names[input.dataset.column] = input.value.trim();
	const r = await engine.ask(question('reconcile', {
		actual: {held: 'actual'}, through: $('through').value || $('until').value, lag: Number($('lag').value) || 0, names,
		dates: $('actual-dates').value, decimal: $('actual-decimal').value, encoding: $('actual-encoding').value,
	})).catch(() => null);
	if (!r) return;
	const box = $('reconciled');
	if (r.error) {
		box.replaceChildren(h('p', {}, r.error.message + '. ', r.error.help || ''), codeLink(r.error.code));
		return;
	}
	const of = type => r.records.filter(x => x.type === type), s = of('summary')[0], problems = r.problems.filter(p => p.file === 'actual' || !p.row);
	const wrong = of('reconciled').filter(x => x.kind !== 'matched');
	const seen = of('reading').filter(x => x.verdict === 'observed' || x.verdict === 'contradicted');
	box.replaceChildren(
		h('p', {class: 'lead', id: 'reconciled-summary', 'data-agrees': r.agrees}, r.agrees ? 'Everything is as forecast.' : 'Not everything is as forecast.'),
		h('ul', {class: 'notes'}, Object.keys(matchKinds).filter(k => s[k]).map(k => h('li', {}, grouped(s[k]) + ' ' + matchKinds[k])), s.after ? h('li', {}, s.after + ' after the last day') : null, s.unreadable ? h('li', {}, counted(s.unreadable, 'line') + ' that cannot be read') : null),
		problems.length ? h('ul', {class: 'problems'}, problems.slice(0, 50).map(problemItem)) : '',
		wrong.length ? h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'What is not as forecast'}, h('table', {id: 'differences'}, h('thead', {}, h('tr', {}, ['Profile', 'What', 'Forecast', 'The bank says'].map(t => h('th', {scope: 'col'}, t)))), h('tbody', {}, wrong.slice(0, 500).map(x => h('tr', {'data-kind': x.kind, 'data-profile': x.profile},
			h('th', {scope: 'row'}, x.profile), h('td', {}, matchKinds[x.kind]), h('td', {}, x.expected ? dayName(x.expected.date) + ', ' + amountOf(x.expected) + ' ' + (x.expected.currency || '') : ''),
			h('td', {}, x.actual ? dayName(x.actual.date) + (x.actual.amount ? ', ' + money(x.actual.amount) + ' ' + (x.actual.currency || '') : '') + ', line ' + x.actual.line : '')))))) : '',
		wrong.length > 500 ? h('p', {class: 'quiet'}, counted(wrong.length - 500, 'more line')) : '',
		seen.length ? h('h3', {}, 'What this shows of the readings') : '',
		seen.length ? h('ul', {}, seen.map(x => h('li', {}, codeLink(x.key + '=' + x.value), ' ' + x.verdict + ', shown by ' + counted(x.for, 'profile') + (x.decided_by ? ', such as ' + x.decided_by.profile + ' on ' + dayName(x.decided_by.date) : '')))) : '',
		s.policy && r.readings ? h('p', {class: 'bar'}, h('button', {type: 'button', onclick: () => { current.policy = Object.fromEntries(s.policy.split(',').map(x => x.split('='))); refresh(); }}, 'Forecast with these readings'), h('button', {type: 'button', class: 'link', onclick: () => download('readings.json', r.readings, 'application/json')}, 'Download them')) : '');
}

const exampleDates = {'as-of': '2026-01-10', until: '2026-12-31'};
let ownDates = null; // what the dates were before an example set them

// takePayload takes a new payload: decisions about the last one are forgotten, and so are the dates of an example.
function takePayload(bytes, source, name) {
	if (ownDates) {
		for (const id of ['as-of', 'until']) if ($(id).value === exampleDates[id]) $(id).value = ownDates[id];
		ownDates = null;
	}
	engine.hold('payload', bytes);
	engine.files.delete('payload-fixed');
	Object.assign(current, {source, profile: '', script: [], charged: {}, months: 24});
	decisions = {};
	useRepair = false;
	$('charged').value = '';
	for (const id of ['why-part']) $(id).hidden = true;
	$('day').replaceChildren();
	showScript();
	$('payload-name').textContent = name;
	$('clear').hidden = !source;
	return refresh();
}

async function takeFile(file) {
	try {
		const bytes = await readFile(file);
		$('payload').value = '';
		await takePayload(bytes, 'file', 'A file of ' + grouped(bytes.length) + ' bytes is open.');
	} catch (e) {
		say(e.message);
	}
}

function startForecast() {
	$('as-of').value = today;
	const year = dateOf(today);
	year.setUTCFullYear(year.getUTCFullYear() + 1);
	year.setUTCDate(year.getUTCDate() - 1);
	$('until').value = iso(year);
	const soon = later(150, refresh);
	$('payload').addEventListener('input', later(150, () => takePayload(new TextEncoder().encode($('payload').value), $('payload').value.trim() ? 'text' : '', '')));
	for (const id of ['as-of', 'until']) $(id).addEventListener('input', soon);
	$('payload-file').addEventListener('change', e => { if (e.target.files[0]) takeFile(e.target.files[0]); });
	dropOn($('job-forecast'), takeFile);
	$('clear').addEventListener('click', () => { $('payload').value = ''; $('payload-file').value = ''; takePayload(new Uint8Array(), '', ''); });
	const open = (name, text) => () => {
		const dates = ownDates || {'as-of': $('as-of').value, until: $('until').value};
		$('payload').value = new TextDecoder(text).decode(example(name));
		ownDates = null;
		for (const id of ['as-of', 'until']) $(id).value = exampleDates[id];
		takePayload(example(name), 'text', '');
		ownDates = dates;
	};
	$('example-demo').addEventListener('click', open('demo', 'utf-8'));
	$('example-export').addEventListener('click', open('export', 'windows-1252'));
	$('all-columns').addEventListener('change', () => refresh());
	$('profile').addEventListener('change', e => choose(e.target.value));
	$('calendar').addEventListener('keydown', moveDay);
	$('save-charges').addEventListener('click', () => download('charges.csv', csvOf(listed), 'text/csv'));
	$('script-form').addEventListener('submit', addToScript);
	$('script-do').addEventListener('change', e => {
		$('script-date-label').hidden = e.target.value === 'declined';
		$('script-repeat-label').hidden = e.target.value !== 'declined';
	});
	$('charged').addEventListener('input', later(200, () => {
		const profile = $('charged-profile').value, n = $('charged').value;
		if (n === '') delete current.charged[profile];
		else current.charged[profile] = Number(n);
		refresh();
	}));
	$('charged-profile').addEventListener('change', e => { $('charged').value = current.charged[e.target.value] ?? ''; });
	$('state-file').addEventListener('change', async e => {
		if (!e.target.files[0]) return;
		current.states = new TextDecoder().decode(await readFile(e.target.files[0]).catch(() => new Uint8Array()));
		if (current.states && !current.states.endsWith('\n')) current.states += '\n';
		$('state-name').textContent = 'A state file is open.';
		$('state-clear').hidden = false;
		refresh();
	});
	$('state-clear').addEventListener('click', () => { current.states = ''; $('state-file').value = ''; $('state-name').textContent = ''; $('state-clear').hidden = true; refresh(); });
	$('actual-names').append(...['profile', 'date', 'amount', 'currency'].map(c => h('label', {}, c + ' is called ', h('input', {'data-column': c, autocomplete: 'off', spellcheck: 'false', oninput: later(300, reconcile)}))));
	$('actual-file').addEventListener('change', async e => {
		if (!e.target.files[0]) return;
		try { engine.hold('actual', await readFile(e.target.files[0])); } catch (x) { say(x.message); return; }
		current.actual = true;
		$('actual-name').textContent = 'A second file is open.';
		if (!$('through').value) $('through').value = $('until').value < today ? $('until').value : today < $('as-of').value ? $('until').value : today;
		$('reconcile-part').open = true;
		reconcile();
	});
	for (const id of ['through', 'lag', 'actual-dates', 'actual-decimal', 'actual-encoding']) $(id).addEventListener('change', reconcile);
}
