/** Names and answers from a hostile suite, model or file. Each would set `window.harmed` if anything ran it. */
export const hostileTexts = [
  '<script>window.harmed=1</script>',
  '<img src=x onerror="window.harmed=1">',
  '<svg onload="window.harmed=1"><circle r="1"/></svg>',
  '"><iframe srcdoc="<script>parent.harmed=1</script>"></iframe>',
  'javascript:window.harmed=1',
  '[click](javascript:window.harmed=1)',
  '![picture](http://127.0.0.1:9/stolen.png)',
  '<a href="javascript:window.harmed=1">x</a>',
  '<style>*{display:none}</style>',
  '<form action="http://127.0.0.1:9/"><button>send</button></form>',
  '<math><mtext></mtext><mglyph><style><img src=x onerror=window.harmed=1></style></mglyph></math>',
  '{{constructor.constructor("window.harmed=1")()}}',
  '</textarea><script>window.harmed=1</script>',
  '<details open ontoggle="window.harmed=1">',
  '\u202Egnp.exe\u0000\u001b[31m',
]
