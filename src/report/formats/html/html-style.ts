import { html, type Markup } from './html-markup.ts'

/** Where there is no room for columns: a row is the name with its score, the drawing and the figures with their labels. */
const stack = (board: string): Markup => html`${board} { display: block }
  ${board} thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  ${board} tbody { display: block }
  ${board} tr { display: grid; grid-template-columns: 40px repeat(3, 1fr); gap: 0 8px; padding: 8px 0; border-bottom: 1px solid var(--line) }
  ${board} td { border: 0; padding: 0; text-align: left }
  ${board} .name { grid-column: 2 / 4; max-width: none }
  ${board} .main { grid-column: 4; text-align: right }
  ${board} .chart { grid-column: 1 / -1; grid-row: 2; width: auto; padding: 0 8px }
  ${board} .fact { font-size: 12.5px; color: var(--muted); white-space: normal }
  ${board} .fact:nth-of-type(3n + 2) { grid-column-start: 2 }
  ${board} .fact::before { content: attr(data-label) ' ' }`

/** One neutral palette, always light: a report is read on paper and beside other papers. One hue for scores, always next to the number. */
export const reportStyle: Markup = html`<style>
:root { color-scheme: light; --page: #ffffff; --desk: #eceef1; --text: #17191d; --muted: #5a6170; --line: #e3e5e9; --strong: #8a919e; --soft: #f5f6f8; --mark: #2f5fd0; --range: #7191de; --scale: #3b7dd8; --error: #b42318 }
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100% }
body { margin: 0; background: var(--desk); color: var(--text); font: 14px/20px Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
main { max-width: 1040px; margin: 0 auto; padding: 24px 0 }
main:not(:has(> .sheet)), .sheet { background: var(--page); padding: 32px 48px; box-shadow: 0 1px 3px rgb(16 24 40 / .12) }
.sheet + .sheet { margin-top: 16px }
.sheet > h2:first-child { margin-top: 0; font-size: 18px; line-height: 24px }
header, footer { display: flex; flex-wrap: wrap; gap: 0 16px; align-items: baseline; color: var(--muted); font-size: 12.5px }
header { border-bottom: 1px solid var(--line); padding-bottom: 10px; margin-bottom: 8px }
header b { font-size: 13px; color: var(--text) }
header .end, footer .end { margin-left: auto }
footer { border-top: 1px solid var(--line); padding-top: 10px; margin-top: 24px; font-size: 11.5px }
.first h1 { font-size: 27px; line-height: 35px; letter-spacing: -.015em; margin: 24px 0 0; text-wrap: pretty }
.first h1 .interval { font-weight: 400; font-size: 20px; letter-spacing: 0; color: var(--muted); white-space: nowrap }
.next { font-size: 15px; line-height: 22px; color: var(--muted); margin: 8px 0 0 }
.first h2 { margin-top: 28px }
.tradeoff { display: grid; grid-template-columns: minmax(0, 560px) minmax(200px, 1fr); gap: 24px; align-items: start }
.choices { display: flex; flex-direction: column; gap: 12px }
.choices li { border-left: 2px solid var(--line); padding-left: 12px }
.choices li:first-child { border-color: var(--mark) }
.choices p, .know { font-size: 13px; line-height: 18px; color: var(--muted); margin: 0 }
h2 small { margin-left: 4px }
.decided .name { white-space: nowrap }
.know { display: flex; flex-wrap: wrap; gap: 0 32px }
.know > div { flex: 1 1 260px; min-width: 0 }
.know h2 { font-size: 14px; margin-bottom: 4px; color: var(--text) }
.know li { padding-bottom: 6px }
.narrow { display: none }
h1 { font-size: 20px; line-height: 28px; font-weight: 600; margin: 0; overflow-wrap: anywhere }
h2 { font-size: 15px; line-height: 20px; font-weight: 600; margin: 32px 0 8px }
h3 { font-size: 13px; line-height: 20px; font-weight: 600; margin: 12px 0 4px }
p, ul, dl { margin: 4px 0 }
ul { padding-left: 0; list-style: none }
.muted, small { color: var(--muted); font-size: 12.5px; font-weight: 400 }
.facts { display: flex; flex-wrap: wrap; gap: 0 20px; margin: 8px 0 0 }
.facts div { display: flex; gap: 6px; min-width: 0 }
.facts dt { color: var(--muted) }
.facts dd { margin: 0; overflow-wrap: anywhere }
.lead { font-size: 16px; line-height: 24px; font-weight: 600; margin: 16px 0 0; max-width: 80ch }
.rated { border-left: 3px solid var(--line); padding-left: 12px }
.ratings .note { min-width: 200px }
.ratings .name { min-width: 120px }
.ratings td { vertical-align: top }
.sentences li { margin: 4px 0 }
.notice { border-left: 3px solid var(--mark); padding: 4px 12px; margin: 12px 0 0; background: var(--soft) }
table { border-collapse: collapse; width: 100% }
th { font-weight: 500; color: var(--muted); text-align: left; font-size: 12.5px; vertical-align: bottom }
th, td { padding: 4px 8px; border-bottom: 1px solid var(--line) }
th:first-child, td:first-child { padding-left: 0 }
th:last-child, td:last-child { padding-right: 0 }
.number { text-align: right; white-space: nowrap }
.name { overflow-wrap: anywhere; unicode-bidi: isolate }
.strong { font-weight: 600 }
.bad { color: var(--error) }
.board td { vertical-align: middle }
.board .chart { width: 34%; min-width: 140px; padding: 0 16px }
.board .name { min-width: 150px; max-width: 300px }
svg { display: block; width: 100%; overflow: visible }
svg.cost { height: auto; max-width: 100% }
svg.cost .tick { stroke: var(--strong) }
svg.cost .end { text-anchor: end }
svg.cost .start { text-anchor: start }
svg.cost .middle { text-anchor: middle }
svg.cost .label { fill: var(--text); font-weight: 600; paint-order: stroke; stroke: var(--page); stroke-width: 3px; stroke-linejoin: round }
svg.cost .frontier { fill: none; stroke: var(--mark); stroke-width: 1.5; stroke-dasharray: 4 3; opacity: .8 }
svg.cost .range { stroke-width: 3; stroke-linecap: round }
svg .range.off { stroke: var(--strong) }
svg .dot.off { fill: var(--page); stroke: var(--strong); stroke-width: 2 }
svg .grid { stroke: var(--line) }
svg .zero { stroke: var(--muted); stroke-dasharray: 3 3 }
svg .range { stroke: var(--range); stroke-width: 2 }
.board svg .range { stroke-width: 4; stroke-linecap: round }
.board svg .dot { stroke: var(--page); stroke-width: 2 }
svg .dot { fill: var(--mark) }
svg text { fill: var(--muted); font-size: 11px; text-anchor: middle }
.findings li { display: grid; grid-template-columns: 20px 1fr; padding: 4px 0 }
.findings .sign { color: var(--muted); font-weight: 600 }
.findings .sure .sign { color: var(--mark) }
.scroll { overflow-x: auto }
.part { content-visibility: auto; contain-intrinsic-size: auto 4000px }
.part + .part { margin-top: 16px }
.cases { width: auto; min-width: 100% }
.cases td, .cases th { border-bottom: 0 }
.cases thead th { border-bottom: 1px solid var(--line); min-width: 88px; max-width: 140px; white-space: normal; unicode-bidi: isolate }
.cases tbody { border-bottom: 1px solid var(--line) }
.cases .id { width: 100%; min-width: 180px; color: var(--text); font-size: 14px }
.cases .score { min-width: 72px }
.cases .score .bad { display: block; white-space: normal }
.cases .score span { display: inline-block; min-width: 52px; padding: 0 6px; border-radius: 3px; text-align: right }
.cases .more { padding: 0 }
.cases details { position: sticky; left: 0; max-width: min(1072px, calc(100vw - 48px)) }
summary { cursor: pointer; color: var(--muted); padding: 0 0 4px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 12.5px }
summary:focus-visible, .scroll:focus-visible { outline: 2px solid var(--mark); outline-offset: 1px }
pre { margin: 0 0 8px; padding: 8px 12px; background: var(--soft); font: 12.5px/18px ui-monospace, 'SF Mono', Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 360px; overflow-y: auto; unicode-bidi: plaintext }
.s0 { background: color-mix(in srgb, var(--scale) 0%, transparent); box-shadow: inset 0 0 0 1px var(--line) } .s1 { background: color-mix(in srgb, var(--scale) 5%, transparent) }
.s2 { background: color-mix(in srgb, var(--scale) 10%, transparent) } .s3 { background: color-mix(in srgb, var(--scale) 15%, transparent) }
.s4 { background: color-mix(in srgb, var(--scale) 20%, transparent) } .s5 { background: color-mix(in srgb, var(--scale) 25%, transparent) }
.s6 { background: color-mix(in srgb, var(--scale) 30%, transparent) } .s7 { background: color-mix(in srgb, var(--scale) 35%, transparent) }
.s8 { background: color-mix(in srgb, var(--scale) 40%, transparent) } .s9 { background: color-mix(in srgb, var(--scale) 45%, transparent) }
.s10 { background: color-mix(in srgb, var(--scale) 50%, transparent) }
[hidden] { display: none !important }
.search { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; margin: 4px 0 8px }
.search label { color: var(--muted) }
.search input { font: inherit; color: var(--text); background: var(--page); border: 1px solid var(--line); border-radius: 4px; padding: 4px 8px; width: min(320px, 80vw) }
.search button { font: inherit; color: var(--text); background: var(--soft); border: 1px solid var(--line); border-radius: 4px; padding: 4px 10px; cursor: pointer }
.search input:focus-visible, .search button:focus-visible { outline: 2px solid var(--mark); outline-offset: 1px }
.groups td span { display: inline-block; min-width: 48px; padding: 0 6px; border-radius: 3px }
.groups .id { min-width: 120px; vertical-align: middle }
.groups thead th, .pairs thead th, .changes thead th { white-space: normal; overflow-wrap: anywhere; min-width: 72px }
.pairs .chart { min-width: 160px; width: 26% }
.pairs .name { min-width: 120px }
.changes .id { min-width: 140px }
.changes .down td:nth-child(4) { color: var(--error) }
.repeat div { display: grid; grid-template-columns: 140px minmax(0, 1fr); gap: 12px; padding: 2px 0 }
.repeat dt { color: var(--muted) }
.repeat dd { margin: 0; white-space: pre-wrap }
@media (max-width: 1090px) {
  ${stack('.board:not(.decided)')}
}
@media screen and (max-width: 640px) {
  ${stack('.decided')}
}
@media screen and (max-width: 720px) {
  main { padding: 0 }
  main:not(:has(> .sheet)), .sheet { padding: 20px 16px 24px }
  .first h1 { font-size: 21px; line-height: 28px }
  .first h1 .interval { font-size: 16px }
  .tradeoff { grid-template-columns: minmax(0, 1fr); gap: 12px }
  .wide { display: none }
  .narrow { display: block }
  .cases .id { min-width: 130px }
  .cases details { max-width: calc(100vw - 32px) }
  .repeat div { grid-template-columns: 1fr; gap: 0; padding: 4px 0 }
}
@page { margin: 14mm }
@media print {
  :root { --desk: #ffffff; --text: #000000; --muted: #444444; --line: #cccccc }
  main:not(:has(> .sheet)), .sheet { padding: 0; box-shadow: none }
  .first { break-after: page }
  .first h1 { font-size: 20px; line-height: 26px; margin-top: 14px }
  .first h1 .interval { font-size: 15px }
  .first h2 { margin-top: 16px }
  .first .decided td { padding-top: 0; padding-bottom: 0 }
  .first .decided td, .first .decided th, .choices, .choices p, .know, .next { font-size: 11.5px; line-height: 15px }
  .first .decided svg { margin: -2px 0 }
  .tradeoff { grid-template-columns: minmax(0, 1fr) 190px; gap: 20px }
  footer { margin-top: 12px }
  main { max-width: none; padding: 0 }
  .cases span, .groups span, svg, .notice { print-color-adjust: exact; -webkit-print-color-adjust: exact }
  tr, li, .board, svg, .first { break-inside: avoid }
  h1, h2, h3, thead, summary { break-after: avoid }
  .search { display: none }
  .board .chart, .pairs .chart { min-width: 120px }
  .cases .id, .changes .id { min-width: 0 }
  body { font-size: 11px; line-height: 16px }
  table, th, .cases .id, .changes .id, summary, .board .fact, .muted, small, pre { font-size: 10px; line-height: 14px }
  .cases tbody { break-inside: auto }
  .cases thead th, .cases .score { min-width: 0 }
  .cases details { position: static; max-width: none }
  .scroll { overflow: visible }
  .part { content-visibility: visible }
  pre { max-height: none; overflow: visible }
}
</style>`
