package report

// pageStyle is the style sheet of the page: one accent on a quiet ground, in light and dark, on
// paper and on a phone. Text has a contrast of at least 4.5 to 1.
const pageStyle = `
:root{--ground:#fcfcfa;--sheet:#fff;--text:#1d1f23;--quiet:#5a5e66;--rule:#e4e4df;--accent:#2b5c8f;--warn:#8a4b00;--stop:#b3261e;--late:#d08a1d;--l0:#ecece7;--l1:#c8dcee;--l2:#8fb8dc;--l3:#4f8bc0;--l4:#1d5488;color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{--ground:#121316;--sheet:#191b1f;--text:#e7e7e3;--quiet:#a2a6ae;--rule:#2d3036;--accent:#86b7e3;--warn:#eeb25e;--stop:#ff8a80;--late:#d9a441;--l0:#24272c;--l1:#1f3f5c;--l2:#2c6596;--l3:#4f95cf;--l4:#a3d0f7}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
header,main,footer{max-width:68rem;margin:0 auto;padding:0 1.5rem}
header{padding-top:3rem}
h1{font-size:2rem;line-height:1.2;letter-spacing:-.02em;font-weight:650;margin:0}
h2{font-size:1.2rem;line-height:1.3;letter-spacing:-.01em;font-weight:620;margin:0 0 1rem}
.window,.legend{text-wrap:pretty}
.window{font-size:1.1rem;margin:.35rem 0 .75rem;color:var(--quiet);font-variant-numeric:tabular-nums}
.notes,nav ul{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;font-size:.875rem;color:var(--quiet)}
.notes li+li::before{content:"·";margin-right:1.25rem}
.notes{gap:.25rem 0}
.notes li+li{margin-left:1.25rem}
nav{margin-top:1.5rem;padding:.75rem 0;border-top:1px solid var(--rule);border-bottom:1px solid var(--rule)}
a{color:var(--accent);text-underline-offset:.2em;text-decoration-thickness:1px}
nav a{text-decoration:none}
nav a:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:2px}
.skip{position:absolute;left:1rem;top:-4rem;background:var(--sheet);padding:.5rem 1rem}
.skip:focus{top:.5rem}
section{margin:2.75rem 0}
p{margin:0 0 1rem;max-width:46rem}
.legend{font-size:.875rem;color:var(--quiet);margin:.75rem 0 0}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:1px;margin:0 0 1.5rem;background:var(--rule);border:1px solid var(--rule);border-radius:8px;overflow:hidden}
.facts div{background:var(--sheet);padding:1rem 1.25rem}
dt{font-size:.875rem;color:var(--quiet)}
dd{margin:0;font-size:1.75rem;line-height:1.25;font-weight:600;letter-spacing:-.01em;font-variant-numeric:tabular-nums}
dd span{display:block;font-size:.8125rem;line-height:1.4;font-weight:400;letter-spacing:0;color:var(--quiet)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:baseline;padding:.42rem 1.1rem .42rem 0;border-bottom:1px solid var(--rule);font-weight:400}
th:last-child,td:last-child{padding-right:0}
thead th{font-size:.8125rem;color:var(--quiet);vertical-align:bottom}
tbody th{font-weight:550;white-space:nowrap}
tbody .id{min-width:11.5rem;max-width:20rem;white-space:normal;overflow-wrap:anywhere}
.groups tbody tr:not(:last-child) td{border-bottom-color:transparent}
th span,td span{display:block;font-size:.8125rem;font-weight:400;color:var(--quiet)}
.n{text-align:right;white-space:nowrap}
.sum{font-weight:600}
.id span{display:inline;margin-left:.5rem;white-space:nowrap}
.above{margin:0 0 .75rem}
.late{color:var(--warn)}
.wide{min-width:9rem;width:30%}
.prose{max-width:46rem}
#list .wide{width:30%;min-width:12rem}
#list td:nth-child(5){min-width:13rem}
svg{display:block;width:100%;height:auto}
.heat{min-width:40rem}
.heat text{font-size:9px;fill:var(--quiet)}
.l0{fill:var(--l0);background:var(--l0)}.l1{fill:var(--l1);background:var(--l1)}.l2{fill:var(--l2);background:var(--l2)}.l3{fill:var(--l3);background:var(--l3)}.l4{fill:var(--l4);background:var(--l4)}
.key{display:inline-flex;gap:3px;vertical-align:-1px}
.key i{width:11px;height:11px;border-radius:2px;display:block}
.key .c{background:var(--l3)}.key .e{background:var(--late)}.key .d{background:var(--warn)}.key .x{background:var(--stop);width:3px}
.curves{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:1.75rem 2rem}
.curves>:only-child{grid-column:1/-1}
figure{margin:0}
figcaption{display:flex;justify-content:space-between;gap:1rem;font-variant-numeric:tabular-nums;margin-bottom:.35rem}
figcaption b{font-weight:550;color:var(--quiet)}
.curve path{fill:none;vector-effect:non-scaling-stroke;stroke-linejoin:round}
.curve .grid{stroke:var(--rule)}
.curve .area{fill:var(--l3);fill-opacity:.16}
.curve .band{fill:var(--l3);fill-opacity:.1}
.curve .line{stroke:var(--accent);stroke-width:1.75}
.curve .edge{stroke:var(--accent);stroke-width:1;stroke-dasharray:3 3}
.bar{height:8px;min-width:7rem}
.bar rect{fill:var(--l3)}
.bar .light{fill:var(--l1)}
.strip{height:14px;min-width:11rem;position:relative;top:2px;background:var(--l0);border-radius:2px}
.strip path{fill:none;stroke-width:8}
.strip .c{stroke:var(--l3)}.strip .e{stroke:var(--late)}.strip .d{stroke:var(--warn)}.strip .x{stroke:var(--stop)}
.find{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;margin-bottom:.75rem}
.find[hidden]{display:none}
.find input{font:inherit;color:inherit;background:var(--sheet);border:1px solid var(--quiet);border-radius:6px;padding:.35rem .6rem;min-width:14rem}
output{font-size:.875rem;color:var(--quiet)}
footer{padding-top:1rem;padding-bottom:3rem;font-size:.875rem;color:var(--quiet)}
footer p{border-top:1px solid var(--rule);padding-top:1rem;max-width:none}
@media (max-width:40rem){header,main,footer{padding-left:1rem;padding-right:1rem}header{padding-top:1.75rem}h1{font-size:1.6rem}section{margin:2.25rem 0}.facts{grid-template-columns:1fr 1fr}.facts div{padding:.75rem .9rem}dd{font-size:1.4rem}}
@media print{:root{--ground:#fff;--sheet:#fff;--text:#000;--quiet:#444;--rule:#ccc;--accent:#1d4f80;--stop:#b3261e;--late:#d08a1d;--l0:#eee;--l1:#c8dcee;--l2:#8fb8dc;--l3:#4f8bc0;--l4:#1d5488;color-scheme:light}body{font-size:10pt}nav,.find,.skip{display:none!important}.scroll{overflow:visible}.heat,.wide,.bar,.strip,#list .wide,#list td:nth-child(5),tbody .id{min-width:0}tr,figure,.facts{break-inside:avoid}h2{break-after:avoid}svg,.key i{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
`
