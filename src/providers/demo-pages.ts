/** Pages that the simulated coder writes: a good, a plain and a poor one. */
export const demoPages: readonly [string, string, string] = [
  `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Counter</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { min-height: 100vh; margin: 0; display: grid; place-items: center; background: Canvas; color: CanvasText }
  main { padding: 2rem 3rem; border: 1px solid color-mix(in srgb, CanvasText 20%, transparent); border-radius: 1rem; text-align: center }
  output { display: block; font-size: 4rem; font-variant-numeric: tabular-nums }
  button { font: inherit; padding: .5rem 1.25rem; border: 0; border-radius: .5rem; background: #2457d6; color: #fff; cursor: pointer }
  button:focus-visible { outline: 3px solid #f5a623; outline-offset: 2px }
</style>
</head>
<body>
<main>
  <h1>Counter</h1>
  <output id="count" aria-live="polite">0</output>
  <button type="button" data-step="-1" aria-label="Subtract one">−</button>
  <button type="button" data-step="1" aria-label="Add one">+</button>
</main>
<script>
  const count = document.getElementById('count')
  document.querySelectorAll('button').forEach((button) => {
    button.addEventListener('click', () => { count.value = Number(count.value) + Number(button.dataset.step) })
  })
</script>
</body>
</html>`,
  `<!DOCTYPE html>
<html>
<head><title>Counter</title>
<style>body { font-family: sans-serif; text-align: center } button { padding: 8px }</style>
</head>
<body>
<h1>Counter</h1>
<p id="n">0</p>
<button onclick="n.textContent = +n.textContent - 1">-</button>
<button onclick="n.textContent = +n.textContent + 1">+</button>
</body>
</html>`,
  `<html>
<body>
<h2>counter</h2>
<div id="value">0</div>
<button onclick="value++">click</button>
</body>
</html>`,
]
