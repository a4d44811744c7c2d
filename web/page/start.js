// The jobs are selected by the fragment of the address: #forecast, #check, #explain.
const jobs = ['forecast', 'check', 'explain'];

function select() {
	const job = jobs.includes(location.hash.slice(1)) ? location.hash.slice(1) : 'forecast';
	for (const j of jobs) $('job-' + j).hidden = j !== job;
	for (const a of document.querySelectorAll('nav a')) {
		if (a.hash === '#' + job) a.setAttribute('aria-current', 'page');
		else a.removeAttribute('aria-current');
	}
	if (job === 'explain' && engine.worker) showLookup();
}

window.addEventListener('hashchange', select);
window.addEventListener('dragover', e => e.preventDefault());
window.addEventListener('drop', e => e.preventDefault());
$('cancel').addEventListener('click', () => { generation++; engine.restart('canceled'); say('Canceled.'); });
$('lookup').addEventListener('input', later(120, showLookup));
startForecast();
startCheck();
select();
say('Loading the engine …');
engine.load().then(() => {
	delete document.body.dataset.busy;
	busy();
	select();
	refresh();
	check();
}, () => {
	delete document.body.dataset.busy;
	say('The engine does not start: this browser lacks WebAssembly or DecompressionStream. Any browser of the last three years has them.');
});
