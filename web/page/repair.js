// The repair of an export: what was mended, what is to be decided, and the files to keep.
let decisions = {}, useRepair = false;

const columnNames = ['rp_card_type', 'client-orderid', 'amount', 'amount-from', 'amount-to', 'amount-sequence', 'currency', 'period', 'interval', 'start-date', 'finish-date', 'max-repeats-number'];

// decide records a decision and repairs again.
function decide(q, value) {
	const set = (member, key) => { decisions[member] = {...decisions[member], [key]: value}; };
	switch (q.kind) {
	case 'column': set('rename', q.name); break;
	case 'set': set('set', q.column); break;
	case 'value': decisions.value = {...decisions.value, [q.column]: {...(decisions.value || {})[q.column], [q.name]: value}}; break;
	case 'empty-rows': decisions.drop_empty = value === 'drop'; break;
	default: decisions[q.kind] = value;
	}
}

const titles = {encoding: 'Encoding of the text', dates: 'Order of day, month and year', century: 'Century', decimal: 'Decimal mark', 'empty-rows': 'Empty rows'};

// inWords says an order of dates in words.
const orders = {dmy: 'day, month, year', mdy: 'month, day, year', ymd: 'year, month, day'};
const inWords = (q, s) => q.kind === 'dates' ? s.replace(/[dmy]{3}/g, o => orders[o] || o) : s;

// ask is the control for a question.
function askFor(q, i) {
	const id = 'question-' + i;
	const title = q.kind === 'column' ? 'Column “' + q.name + '” is' : q.kind === 'value' ? q.column + ' “' + q.name + '” means' : q.kind === 'set' ? q.column + ' of every row' : titles[q.kind];
	const choices = q.kind === 'column' ? [...new Set([q.suggestion, ...columnNames].filter(Boolean)), '-'] : q.choices;
	const given = value => { if (value !== '') { decide(q, value); refresh(true); } };
	const control = choices && q.kind !== 'set'
		? h('select', {id, autocomplete: 'off', onchange: e => given(e.target.value)}, h('option', {value: ''}, 'Choose …'), choices.map(c => h('option', {value: c}, c === '-' ? 'none of these: leave it out' : inWords(q, c))))
		: h('input', {id, autocomplete: 'off', spellcheck: 'false', placeholder: q.suggestion || (q.choices || []).join(' or '), onchange: e => given(e.target.value.trim())});
	return h('li', {class: 'question'}, h('label', {for: id}, title), control,
		q.suggestion ? h('button', {type: 'button', class: 'link', onclick: () => given(q.suggestion)}, 'Take ' + inWords(q, q.suggestion)) : null,
		h('span', {class: 'help'}, inWords(q, q.evidence[0].toUpperCase() + q.evidence.slice(1)) + '.'));
}

function sumItem(s) {
	return h('li', {'data-code': s.code, class: s.refused ? 'error' : ''}, s.column || s.name ? h('b', {}, (s.column || s.name) + ': ') : null, s.text,
		s.row ? ' (' + counted(s.count, s.column || s.name ? 'cell' : 'row') + ', first in row ' + s.row + ')' : '', s.refused && s.help ? h('span', {class: 'help'}, s.help) : null);
}

// showRepair shows what a repair did, or would do.
function showRepair(fix, used) {
	const box = $('repair');
	if (!fix || fix.error || fix.changes === 0 && fix.refused === 0) {
		box.hidden = !fix || !fix.error;
		$('repair-body').replaceChildren(fix && fix.error ? h('p', {}, fix.error.message + '. ' + (fix.error.help || '')) : '');
		return;
	}
	box.hidden = false;
	$('repair-title').textContent = fix.refused === 0 && used ? 'This file was repaired' : used ? 'This file needs a few decisions' : 'This file can be repaired';
	const done = fix.sums.filter(s => !s.refused), left = fix.sums.filter(s => s.refused);
	const suggestions = fix.questions.filter(q => q.suggestion);
	$('repair-body').replaceChildren(
		fix.rows === 0 && fix.questions.length ? h('p', {}, 'Once these are decided, its rows are read.')
			: h('p', {}, counted(fix.changes, 'change') + ' in ' + counted(fix.rows, 'row') + ', ' + fix.refused + ' refused. ', used ? 'The forecast below is that of the repaired file.' : ''),
		used ? '' : h('p', {}, h('button', {type: 'button', id: 'use-repair', onclick: () => { useRepair = true; refresh(true); }}, 'Repair it')),
		fix.questions.length ? h('ul', {class: 'questions'}, fix.questions.slice(0, 60).map(askFor)) : '',
		suggestions.length > 1 ? h('p', {}, h('button', {type: 'button', id: 'take-all', onclick: () => { for (const q of suggestions) decide(q, q.suggestion); refresh(true); }}, 'Take all ' + suggestions.length + ' suggestions')) : '',
		fix.questions.some(q => q.kind === 'column') ? h('p', {}, h('button', {type: 'button', class: 'link', id: 'drop-unknown', onclick: () => { decisions.drop_unknown = true; refresh(true); }}, 'Leave out all columns that are not the document’s')) : '',
		left.length ? h('details', {open: fix.questions.length === 0}, h('summary', {}, 'What is refused, since it would need a guess'), h('ul', {class: 'changes'}, left.map(sumItem))) : '',
		done.length ? h('details', {}, h('summary', {}, 'What was mended'), h('ul', {class: 'changes'}, done.map(sumItem))) : '',
		used && fix.changes > 0 ? h('p', {class: 'bar'},
			h('button', {type: 'button', id: 'save-payload', onclick: async () => download('payload.csv', await engine.take('payload-fixed'), 'text/csv')}, 'Download payload.csv'),
			h('button', {type: 'button', id: 'save-map', onclick: () => download('export.map', fix.draft, 'text/plain')}, 'Download the decisions as a map'),
			Object.keys(decisions).length ? h('button', {type: 'button', class: 'link', onclick: () => { decisions = {}; refresh(true); }}, 'Forget the decisions') : '') : '');
}
