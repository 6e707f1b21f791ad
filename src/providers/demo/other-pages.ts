/** The simulated models' other pages: a counter, a task list, and a plain page about any subject. */

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

export type Quality = 'good' | 'fair' | 'poor'

export const counterPages: Record<Quality, string> = {
  good: `<!DOCTYPE html>
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
  fair: `<!DOCTYPE html>
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
  poor: `<html>
<body>
<h2>counter</h2>
<div id="value">0</div>
<button onclick="value++">click</button>
</body>
</html>`,
}

export const taskPages: Record<Quality, string> = {
  good: `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tasks</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { margin: 0; background: Canvas; color: CanvasText }
  main { max-width: 32rem; margin: 3rem auto; padding: 0 1rem }
  form { display: flex; flex-wrap: wrap; gap: .5rem }
  input[type="text"] { flex: 1 1 12rem; font: inherit; padding: .5rem .75rem; border: 1px solid GrayText; border-radius: .5rem }
  button { font: inherit; padding: .5rem 1rem; border: 0; border-radius: .5rem; background: #14532d; color: #fff; cursor: pointer }
  ul { padding: 0; list-style: none }
  li { display: flex; align-items: center; gap: .75rem; padding: .5rem 0; border-bottom: 1px solid color-mix(in srgb, CanvasText 15%, transparent) }
  li label { flex: 1 }
  :checked + span { text-decoration: line-through; opacity: .75 }
</style>
</head>
<body>
<main>
  <h1>Tasks</h1>
  <form><label for="text">New task</label><input id="text" type="text" required><button>Add</button></form>
  <p role="status"></p>
  <ul></ul>
</main>
<script>
  const tasks = JSON.parse(localStorage.getItem('tasks') ?? '[{"text":"Try the arena","isDone":false}]')
  const list = document.querySelector('ul')
  function show() {
    localStorage.setItem('tasks', JSON.stringify(tasks))
    document.querySelector('[role=status]').textContent = tasks.filter((task) => !task.isDone).length + ' open'
    list.replaceChildren(...tasks.map((task, index) => {
      const item = document.createElement('li')
      item.innerHTML = '<label><input type="checkbox"> <span></span></label><button type="button">Remove</button>'
      item.querySelector('span').textContent = task.text
      item.querySelector('input').checked = task.isDone
      item.querySelector('input').addEventListener('change', () => { task.isDone = !task.isDone; show() })
      item.querySelector('button').addEventListener('click', () => { tasks.splice(index, 1); show() })
      return item
    }))
  }
  document.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault()
    tasks.push({ text: document.getElementById('text').value, isDone: false })
    event.target.reset()
    show()
  })
  show()
</script>
</body>
</html>`,
  fair: `<!DOCTYPE html>
<html>
<head><title>Todo</title></head>
<body style="font-family: Arial; width: 400px; margin: auto">
<h1>Todo list</h1>
<input id="t" placeholder="Task"><button onclick="add()">Add</button>
<ul id="l"></ul>
<script>
function add() {
  var li = document.createElement('li')
  li.innerHTML = t.value
  li.onclick = function () { li.remove() }
  l.appendChild(li)
  t.value = ''
}
</script>
</body>
</html>`,
  poor: `<html>
<body>
<b>todo</b>
<input><button onclick="addTask()">add</button>
<li>task 1</li>
<li>task 2</li>
</body>
</html>`,
}

/** The subject of a prompt in a few words: "Build a page about bees" becomes "a page about bees". */
function subjectOf(prompt: string): string {
  const words = prompt
    .replace(/\s+/g, ' ')
    .trim()
    .replace(
      /^(?:please\s+)?(?:can you\s+)?(?:build|create|make|write|design|code|implement|generate)\s+(?:me\s+)?/i,
      '',
    )
  const subject = words.slice(0, 80).replace(/[.!?]+$/, '')
  return subject === '' ? 'a page' : subject
}

/** A page about the subject of the prompt; it says that it is simulated. */
export function writePageAbout(prompt: string, quality: Quality): string {
  const subject = escapeHtml(subjectOf(prompt))
  const title = subject.replace(/^./, (letter) => letter.toUpperCase())
  if (quality === 'poor')
    return `<html>\n<body>\n<h2>${subject}</h2>\n<button onclick="start()">start</button>\n</body>\n</html>`
  if (quality === 'fair')
    return `<!DOCTYPE html>
<html>
<head><title>${title}</title><style>body { font-family: sans-serif; margin: 40px } .box { border: 1px solid #ccc; padding: 20px; width: 600px }</style></head>
<body>
<h1>${title}</h1>
<div class="box"><p>A simulated page.</p><button onclick="this.textContent = 'Clicked'">Click me</button></div>
</body>
</html>`
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
  body { margin: 0; background: Canvas; color: CanvasText }
  main { max-width: 60rem; margin-inline: auto; padding: clamp(1.5rem, 6vw, 5rem) 1.25rem }
  h1 { font-size: clamp(1.8rem, 5vw, 3rem); line-height: 1.15; text-wrap: balance }
  .parts { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1rem; padding: 0; list-style: none }
  .parts li { padding: 1.25rem; border: 1px solid color-mix(in srgb, CanvasText 20%, transparent); border-radius: .75rem }
  button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .5rem; background: #2457d6; color: #fff; cursor: pointer }
  button:focus-visible { outline: 3px solid #f5a623; outline-offset: 2px }
  @media (max-width: 30rem) { button { width: 100% } }
</style>
</head>
<body>
<main>
  <h1>${title}</h1>
  <p>This page was written by a simulated model: it knows the words of the task and nothing more.</p>
  <ul class="parts"><li><h2>First</h2><p>What it is for.</p></li><li><h2>Second</h2><p>How it is used.</p></li><li><h2>Third</h2><p>What comes next.</p></li></ul>
  <button type="button" aria-expanded="false" aria-controls="more">Show more</button>
  <p id="more" hidden>There is no more, but the button works.</p>
</main>
<script>
  const button = document.querySelector('button')
  button.addEventListener('click', () => {
    const isOpen = button.getAttribute('aria-expanded') === 'true'
    button.setAttribute('aria-expanded', String(!isOpen))
    button.textContent = isOpen ? 'Show more' : 'Show less'
    document.getElementById('more').hidden = isOpen
  })
</script>
</body>
</html>`
}
