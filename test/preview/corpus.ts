import { readdirSync, readFileSync } from 'node:fs'

/** The expectations for an answer in `corpus/`. */
export interface Expected {
  runs?: 'html' | 'react' | 'vue' | 'svelte' | 'script' | 'svg'
  /** Texts that are visible once the page has loaded. */
  shows?: string[]
  /** Names of all its files, where that matters. */
  files?: string[]
  uses?: string[]
  /** Parts of the URLs and names that are blocked. */
  blocked?: string[]
  notes?: RegExp
  /** What the preview says is not available. Default: nothing. */
  missing?: RegExp
  /** Why it does not run, or what is wrong even though it does. */
  problem?: RegExp
  /** Errors while it runs. Default: none. */
  errors?: RegExp
  /** An element's computed style, as proof that style sheets work: selector, property, value. */
  style?: [selector: string, property: string, value: string]
}

const folder = new URL('./corpus/', import.meta.url)

export function corpusNames(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -3))
    .sort()
}

export function readAnswer(name: string): string {
  return readFileSync(new URL(`${name}.md`, folder), 'utf8')
}

const diff = /diff against files it does not contain/

/** Answers as models write them, by file name. */
export const expectations: Record<string, Expected> = {
  'html-alternatives': { runs: 'html', shows: ['Option B animated'], files: ['index.html'], notes: /3 alternatives/ },
  'react-antd-table': { runs: 'react', shows: ['Users of Acme', 'on-call'], uses: ['ant-icons', 'antd', 'react'] },
  'react-dnd-kit': {
    runs: 'react',
    shows: ['Sortable', 'Gamma'],
    uses: ['dnd-kit', 'lucide', 'react', 'tailwind'],
    notes: /Tailwind was added/,
  },
  'react-leaflet': {
    runs: 'react',
    shows: ['Oslo map', 'OSM'],
    uses: ['leaflet', 'leaflet-css', 'react', 'react-leaflet'],
    style: ['.leaflet-marker-icon', 'width', '25px'],
  },
  'react-markdown': {
    runs: 'react',
    shows: ['Hi', 'there'],
    uses: ['react', 'react-markdown'],
    style: ['em', 'font-style', 'italic'],
  },
  'react-shadcn-chart': {
    runs: 'react',
    shows: ['Visitors', 'Jan', 'Desktop'],
    uses: ['lucide', 'react', 'recharts', 'shadcn', 'shadcn-chart', 'tailwind'],
  },
  'react-shadcn-form': {
    runs: 'react',
    shows: ['Profile', 'Username', 'Your public name.'],
    uses: ['react', 'react-hook-form', 'shadcn', 'shadcn-form', 'tailwind', 'zod'],
    style: ['[data-slot=form-item]', 'display', 'grid'],
  },
  'angular-component': { problem: /Angular/ },
  'backend-and-page': {
    runs: 'html',
    shows: ['Shop window', 'Client script runs'],
    style: ['h1', 'color', 'rgb(12, 34, 56)'],
  },
  'css-only': { problem: /only style sheets/ },
  'diff-answer': { problem: diff },
  'diff-unmarked': { problem: diff },
  'empty-answer': { problem: /answer is empty/ },
  'html-after-thoughts': { runs: 'html', shows: ['Local time', 'It is '], files: ['index.html'] },
  'html-alpine': { runs: 'html', shows: ['Questions'], uses: ['alpine'], style: ['p', 'display', 'none'] },
  'html-alpine-data': { runs: 'html', shows: ['Shopping list', 'Bread', '1 item'], uses: ['alpine'] },
  'html-bootstrap-page': {
    runs: 'html',
    shows: ['Greenhouse', 'Modal ready: function'],
    uses: ['bootstrap5', 'bootstrap5-css', 'font-awesome'],
    style: ['.btn', 'background-color', 'rgb(10, 100, 60)'],
  },
  'html-canvas-game': { runs: 'html', shows: ['Bouncing ball'] },
  'html-css-js-apart': {
    runs: 'html',
    shows: ['Steps today', 'ready'],
    files: ['index.html', 'style.css', 'script.js'],
    style: ['.counter', 'display', 'grid'],
  },
  'html-css-js-linked': { runs: 'html', shows: ['Reykjavik', '7 °C'], style: ['.card', 'border-radius', '16px'] },
  'html-css-js-named': {
    runs: 'html',
    shows: ['Stopwatch', 'Press start'],
    files: ['index.html', 'css/style.css', 'js/app.js'],
  },
  'html-cut-off': { runs: 'html', shows: ['Kanban board', 'Write the report'], problem: /ends in the middle of/ },
  'html-dialogs': { runs: 'html', shows: ['true / Nobody'] },
  'html-fence-shares-lines': { runs: 'html', shows: ['Fences share their lines'], files: ['index.html'] },
  'html-file-twice': { runs: 'html', shows: ['Corrected page'], files: ['index.html'], notes: /more than once/ },
  'html-form': { runs: 'html', shows: ['Not sent yet'] },
  'html-fragment': { runs: 'html', shows: ['Maintenance tonight.'], style: ['.alert', 'padding-left', '16px'] },
  'html-fragment-no-fence': { runs: 'html', shows: ['Our team', 'Beekeeper'] },
  'html-in-list': { runs: 'html', shows: ['Pancakes', 'Fry'] },
  'html-in-markdown-fence': { runs: 'html', shows: ['Sign the guestbook'] },
  'html-inline-svg-and-data': { runs: 'html', shows: ['Logo'] },
  'html-jquery': { runs: 'html', shows: ['jQuery works'], uses: ['jquery'] },
  'html-jquery-plugins': { runs: 'html', shows: ['FAQ (1)'], uses: ['jquery'], style: ['dd', 'color', 'rgb(3, 2, 1)'] },
  'html-json-files': { runs: 'html', shows: ['Weather in Oslo', '-3 °C'], style: ['h1', 'color', 'rgb(7, 8, 9)'] },
  'html-json-object': { runs: 'html', shows: ['From JSON'], style: ['.card', 'padding-left', '24px'] },
  'html-json-beside': { runs: 'html', shows: ['Served page'] },
  'html-longer-fence': { runs: 'html', shows: ['```js', 'That is all there is to it.'], files: ['index.html'] },
  'html-lucide-script': {
    runs: 'html',
    shows: ['Toolbar'],
    uses: ['lucide'],
    style: ['svg.lucide-trash-2', 'width', '24px'],
  },
  'html-missing-library': {
    runs: 'html',
    shows: ['Sales by month'],
    uses: ['chart'],
  },
  'html-missing-pixi': {
    runs: 'html',
    shows: ['Space game'],
    blocked: ['pixi.js'],
    missing: /^pixi\.js is not available here\. “benchmaker install packages pixi\.js” installs it\.$/,
    errors: /PIXI is not defined/,
  },
  'html-module-await-between-files': { runs: 'html', shows: ['Ola and Kari'] },
  'html-modules-between-files': { runs: 'html', shows: ['Good morning, sunshine!'] },
  'html-no-fence': { runs: 'html', shows: ['Roll the dice'] },
  'html-one-fence': { runs: 'html', shows: ['Tip calculator', '$6.00'] },
  'html-own-policy': { runs: 'html', shows: ['Strict page', 'scripts run'], notes: /refresh/ },
  'html-preact': { runs: 'html', shows: ['Pressed 0 times'], uses: ['preact'] },
  'html-preact-htm': { runs: 'html', shows: ['Standup timer', 'Mo is talking'], uses: ['preact'] },
  'html-prose-around': { runs: 'html', shows: ['Bread worth getting up for', 'Baguette'], files: ['index.html'] },
  'html-react-esm': { runs: 'html', shows: ['Rendered from modules'], uses: ['react'] },
  'html-react-importmap': {
    runs: 'html',
    shows: ['3 likes'],
    uses: ['lucide', 'react'],
    style: ['svg', 'width', '16px'],
  },
  'html-react-old-render': { runs: 'html', shows: ['Clicked 0 times'], uses: ['react'] },
  'html-react-umd': { runs: 'html', shows: ['To-do (1)', 'Water the plants'], uses: ['react'] },
  'html-remote-images': {
    runs: 'html',
    shows: ['Gallery'],
    blocked: ['images.unsplash.com', 'picsum.photos', 'via.placeholder.com'],
    style: ['img:last-of-type', 'width', '150px'],
  },
  'html-remote-styles': {
    runs: 'html',
    shows: ['Hotel Miramar'],
    blocked: ['family=Lora'],
    uses: ['bootstrap5', 'bootstrap5-css', 'font-awesome', 'font-inter'],
  },
  'html-script-in-string': { runs: 'html', shows: ['Copy this: <script src="widget.js"></script>'] },
  'html-storage': { runs: 'html', shows: ['light, visit 1, seen=yes, 2 keys'] },
  'html-tailwind-browser': {
    runs: 'html',
    shows: ['Hello world!'],
    uses: ['tailwind'],
    style: ['#probe', 'color', 'rgb(218, 55, 61)'],
  },
  'html-tailwind-cdn': {
    runs: 'html',
    shows: ['Stay in the loop'],
    uses: ['tailwind'],
    style: ['body', 'display', 'flex'],
  },
  'html-tailwind-config': {
    runs: 'html',
    shows: ['Interior studio'],
    uses: ['tailwind'],
    style: ['#probe', 'color', 'rgb(1, 2, 3)'],
  },
  'html-tailwind-source': {
    runs: 'html',
    shows: ['New arrival'],
    uses: ['tailwind'],
    style: ['.badge', 'padding-left', '12px'],
  },
  'html-text-fence': { runs: 'html', shows: ['The fence names no language'] },
  'html-tilde-fence': { runs: 'html', shows: ['Lunch menu', 'Barley risotto'] },
  'html-top-level-await': { runs: 'html', shows: ['Waited at the top level'] },
  'html-two-versions': { runs: 'html', shows: ['Full login'], notes: /2 complete pages/ },
  'html-unclosed-fence': { runs: 'html', shows: ['Which planet is the largest?'] },
  'html-unclosed-then-css': {
    runs: 'html',
    shows: ['The first fence is never closed'],
    files: ['index.html', 'style.css'],
    style: ['.box', 'padding-left', '32px'],
  },
  'html-uppercase-crlf': { runs: 'html', shows: ['Windows line ends'] },
  'html-vue-2': { runs: 'html', shows: ['Old but working'], uses: ['vue'], notes: /Vue 2/ },
  'html-vue-global': { runs: 'html', shows: ['Plums: 5', 'Total: 7'], uses: ['vue'] },
  'html-vue-module': { runs: 'html', shows: ['Hello, Mira!'], uses: ['vue'] },
  'html-with-excerpt': { runs: 'html', shows: ['4 minutes left'], notes: /Not used by the page/ },
  'node-server': { problem: /for a server/ },
  'prose-only': { problem: /no code in the answer/ },
  'python-only': { problem: /Python/ },
  'react-arrow': { runs: 'react', shows: ['Lights off'], uses: ['react'] },
  'react-class': { runs: 'react', shows: ['20 °C is 68 °F'], uses: ['react'] },
  'react-context': { runs: 'react', shows: ['Your cart', 'Tea × 1'] },
  'react-css-file': {
    runs: 'react',
    shows: ['Styled counter', 'count is 0'],
    notes: /logo\.svg/,
    style: ['.big', 'color', 'rgb(10, 20, 30)'],
  },
  'react-css-modules': {
    runs: 'react',
    shows: ['Modular card'],
    files: ['Card.jsx', 'Card.module.css'],
    style: ['h1', 'color', 'rgb(102, 51, 153)'],
  },
  'react-default-export': { runs: 'react', shows: ['Plans', '$29 per month'] },
  'react-framer-motion': { runs: 'react', shows: ['Animated sheet'], uses: ['class-names', 'framer-motion', 'react'] },
  'react-global-style': { runs: 'react', shows: ['Doubled to 1'] },
  'react-lucide': {
    runs: 'react',
    shows: ['What you get', 'No advertising'],
    uses: ['lucide', 'react', 'tailwind'],
    style: ['svg.lucide-check', 'width', '16px'],
  },
  'react-lucide-old-names': {
    runs: 'react',
    shows: ['Sidebar', 'Code'],
    uses: ['lucide', 'react'],
    style: ['svg.lucide-house', 'width', '18px'],
  },
  'react-memo-forwardref': { runs: 'react', shows: ['City', 'Focus the city'] },
  'react-missing-file': {
    runs: 'react',
    shows: ['Dashboard'],
    problem: /imports \.\/components\/Chart, which is not in the answer/,
  },
  'react-mounts-itself': { runs: 'react', shows: ['I mount myself into #container'] },
  'react-named-export': { runs: 'react', shows: ['Find a fruit', 'Quince'] },
  'react-next-page': {
    runs: 'react',
    shows: ['Next page', 'About us'],
    files: ['app/page.tsx'],
    uses: ['next', 'react', 'tailwind'],
  },
  'react-no-export': { runs: 'react', shows: ['Profile of Ada', 'Mathematician'] },
  'react-no-imports': { runs: 'react', shows: ['Time on this page', 'seconds so far'] },
  'react-project-info-names': {
    runs: 'react',
    shows: ['Team board', 'Signed in as Lin Wei'],
    files: ['src/App.tsx', 'src/components/Header.tsx', 'src/types.ts', 'src/lib/format.ts'],
  },
  'react-several-in-one-fence': {
    runs: 'react',
    shows: ['One fence, two files', 'The drawer is open'],
    files: ['src/hooks/useToggle.js', 'src/App.jsx'],
  },
  'react-shadcn': {
    runs: 'react',
    shows: ['Create project', 'Deploy'],
    uses: ['react', 'shadcn', 'tailwind'],
    style: ['[data-slot=card]', 'border-top-color', 'rgb(229, 229, 229)'],
  },
  'react-syntax-error': { problem: /JSX closing tag for <h1>.* line 4/ },
  'react-tailwind-project': {
    runs: 'react',
    shows: ['Ocean theme'],
    missing: /^@tailwindcss\/forms is not available here\.$/,
    uses: ['react', 'tailwind'],
    style: ['#root > div', 'background-color', 'rgb(3, 103, 137)'],
  },
  'react-typescript': { runs: 'react', shows: ['Typed list (all)', 'Buy stamps'] },
  'react-vite-project': {
    runs: 'react',
    shows: ['Lentil soup', '25 minutes'],
    files: [
      'index.html',
      'src/main.jsx',
      'src/App.jsx',
      'src/components/RecipeCard.jsx',
      'src/data/recipes.js',
      'src/index.css',
      'vite.config.js',
      'package.json',
      'other.txt',
    ],
    style: ['.card', 'padding-left', '16px'],
  },
  'react-with-usage': { runs: 'react', shows: ['3 of 5'] },
  'script-canvas': { runs: 'script', shows: ['Drawn on a canvas'] },
  'script-dom': { runs: 'script', shows: ['Made by a script alone'] },
  'script-typescript': { runs: 'script', shows: ['Jupiter: 95 moons'] },
  'shell-only': { problem: /shell commands/ },
  'svelte-component': { runs: 'svelte', shows: ['Clicked 0'], uses: ['svelte'] },
  'svg-fence': { runs: 'svg', shows: ['Sunset'] },
  'svg-no-fence': { runs: 'svg', shows: ['Wait'] },
  'svg-xml-fence': { runs: 'svg', shows: ['Leaf'] },
  'vue-in-html-fence': { runs: 'vue', shows: ['Less, but better.'], uses: ['vue'] },
  'vue-no-fence': { runs: 'vue', shows: ['No fence, still Vue'] },
  'vue-options': { runs: 'vue', shows: ['Vue list', 'Read the manual'] },
  'vue-project': {
    runs: 'vue',
    shows: ['Members', 'Member Noor'],
    uses: ['lucide', 'vue'],
    style: ['svg', 'width', '16px'],
  },
  'vue-script-setup': {
    runs: 'vue',
    shows: ['Billed monthly', '15 €'],
    style: ['.plan', 'border-top-color', 'rgb(1, 2, 3)'],
  },
  'vue-template-error': { problem: /missing end tag/ },
  'html-chartjs-dashboard': { runs: 'html', shows: ['2 charts'], uses: ['chart', 'tailwind'] },
  'html-confetti-anime': {
    runs: 'html',
    shows: ['Party time', 'Hello 01/05/2024'],
    uses: ['anime', 'canvas-confetti', 'dayjs', 'lodash'],
  },
  'html-d3-chart': { runs: 'html', shows: ['Rainfall in Bergen', 'Apr', '180'], uses: ['d3'] },
  'html-d3-module': { runs: 'html', shows: ['Who knows whom', 'Cleo'], uses: ['d3'] },
  'html-entity-escaped': { runs: 'html', shows: ['Fish & chips', 'decoded'], style: ['h1', 'color', 'rgb(9, 9, 9)'] },
  'html-file-tags': {
    runs: 'html',
    shows: ['Files in tags', 'Script from a tag'],
    files: ['index.html', 'css/site.css', 'js/site.js'],
    style: ['h1', 'letter-spacing', '4px'],
  },
  'html-gsap-scroll': { runs: 'html', shows: ['Studio Nord', 'Triggers: 1'], uses: ['gsap'] },
  'html-leaflet-map': {
    runs: 'html',
    shows: ['Cafés near you', 'Best cinnamon buns'],
    uses: ['leaflet', 'leaflet-css'],
    style: ['.leaflet-marker-icon', 'width', '25px'],
  },
  'html-linked-pages': {
    runs: 'html',
    shows: ['Bakery home', 'Open until six, Bakery home'],
    notes: /links to about\.html, pages\/contact\.html work/,
    style: ['h1', 'color', 'rgb(120, 60, 20)'],
  },
  'html-lit-element': { runs: 'html', shows: ['Rate us', '★', '3 of 5'], uses: ['lit'] },
  'html-many-scripts': { runs: 'html', shows: ['今天的天气', 'こんにちは'] },
  'html-matter-physics': { runs: 'html', shows: ['13 bodies'], uses: ['matter'] },
  'html-p5-page': { runs: 'html', shows: ['Perlin hills'], uses: ['p5'], style: ['canvas', 'visibility', 'visible'] },
  'html-scss': { runs: 'html', shows: ['Nested styles'], style: ['.card__title', 'color', 'rgb(12, 34, 56)'] },
  'html-stray-think': { runs: 'html', shows: ['The final landing page'], files: ['index.html'] },
  'html-swiper-css': {
    runs: 'html',
    shows: ['Holiday slides'],
    uses: ['animate-css', 'swiper-css'],
  },
  'html-three-global': {
    runs: 'html',
    shows: ['Rotating cube'],
    uses: ['three', 'three-addons'],
    notes: /old version of three/,
    style: ['canvas', 'display', 'block'],
  },
  'html-three-importmap': { runs: 'html', shows: ['Solar system', '4 planets'], uses: ['three', 'three-addons'] },
  'html-tone-piano': { runs: 'html', shows: ['Piano', 'C4 is 262 Hz'], uses: ['tone'] },
  'html-two-pages-last': { runs: 'html', shows: ['Corrected version'], notes: /2 complete pages/ },
  'react-ant-artifact': { runs: 'react', shows: ['Habit tracker', 'Run'], uses: ['lucide', 'react', 'tailwind'] },
  'react-bolt-actions': {
    runs: 'react',
    shows: ['Bolt notes', 'Call Sam'],
    style: ['.app', 'padding-left', '33px'],
    files: ['package.json', 'src/App.tsx', 'src/components/NoteList.tsx', 'src/index.css', 'src/main.tsx'],
  },
  'react-chartjs-2': { runs: 'react', shows: ['Votes'], uses: ['chart', 'react', 'react-chartjs-2'] },
  'react-framer-cards': {
    runs: 'react',
    shows: ['Coffee menu', 'You chose Espresso'],
    uses: ['framer-motion', 'react', 'tailwind'],
  },
  'react-icon-packages': {
    runs: 'react',
    shows: ['Icon sets'],
    uses: ['font-awesome', 'heroicons', 'lucide', 'react'],
    style: ['.fa-heart', 'color', 'rgb(220, 20, 60)'],
  },
  'react-missing-package': {
    runs: 'react',
    shows: ['Flow editor', 'Springy'],
    blocked: ['react-spring', 'react-flowchart'],
    missing:
      /^react-spring and react-flowchart are not available here; stand-ins are shown\. “benchmaker install packages react-spring react-flowchart” installs them\.$/,
  },
  'react-motion-package': { runs: 'react', shows: ['The new motion package'], uses: ['framer-motion', 'react'] },
  'react-next-layout': {
    runs: 'react',
    shows: ['The Journal', 'Latest posts', 'On patience'],
    uses: ['next', 'react', 'tailwind'],
    style: ['.btn', 'background-color', 'rgb(90, 40, 160)'],
  },
  'react-preact-jsx': { runs: 'react', shows: ['Preact counter', 'Count: 0'], uses: ['preact'] },
  'react-recharts': {
    runs: 'react',
    shows: ['Analytics', '$11,506', 'Mar', 'visits'],
    uses: ['lucide', 'react', 'recharts', 'tailwind'],
  },
  'react-router-app': { runs: 'react', shows: ['My blog', 'Second post'], uses: ['react', 'react-router'] },
  'react-scss-modules': { runs: 'react', shows: ['Partial sheets'], style: ['h1', 'color', 'rgb(200, 30, 90)'] },
  'react-shadcn-calendar': { runs: 'react', shows: ['Pick a day'], uses: ['react', 'shadcn', 'tailwind'] },
  'react-shadcn-settings': {
    runs: 'react',
    shows: ['Settings', 'Heads up!', 'Marketing emails', 'English', 'Yes. It follows WAI-ARIA.', 'INV001'],
    uses: ['lucide', 'react', 'shadcn', 'tailwind'],
    style: ['[data-slot=switch]', 'background-color', 'rgb(23, 23, 23)'],
  },
  'react-styled-components': {
    runs: 'react',
    shows: ['Styled page', 'Pressed 0'],
    uses: ['react', 'styled-components'],
    style: ['button', 'color', 'rgb(4, 5, 6)'],
  },
  'react-tailwind-cn': {
    runs: 'react',
    shows: ['Off'],
    uses: ['class-names', 'react', 'tailwind'],
    style: ['button', 'padding-left', '24px'],
  },
  'react-tailwind-few': {
    runs: 'react',
    shows: ['Few classes'],
    uses: ['react', 'tailwind'],
    style: ['h1', 'color', 'rgb(255, 255, 255)'],
  },
  'react-three-fiber': {
    runs: 'react',
    shows: ['A knot in space'],
    uses: ['react', 'react-three-fiber'],
    style: ['canvas', 'display', 'block'],
  },
  'react-usage-imports': { runs: 'react', shows: ['Shipping', 'Two days'], files: ['Accordion.jsx', 'App-2.jsx'] },
  'react-usage-markup': { runs: 'react', shows: ['Ready to ship'] },
  'react-zod-form': { runs: 'react', shows: ['Sign up', 'Not an email address'], uses: ['react', 'zod'] },
  'react-zustand': { runs: 'react', shows: ['Cart (1)', 'Tea'], uses: ['react', 'zustand'] },
  'script-p5-sketch': { runs: 'script', uses: ['p5'], style: ['canvas', 'width', '600px'] },
  'svelte-project': {
    runs: 'svelte',
    shows: ['Counters', 'Pears: 1 (double 2)', 'Together: 2'],
    uses: ['svelte'],
    style: ['button', 'color', 'rgb(1, 2, 3)'],
  },
  'svelte-runes': {
    runs: 'svelte',
    shows: ['Todos', 'Ship it', '1 left'],
    uses: ['svelte'],
    style: ['h1', 'color', 'rgb(255, 62, 0)'],
  },
  'vue-router-app': { runs: 'vue', shows: ['Vue with routes', 'Welcome home'], uses: ['vue', 'vue-router'] },
  'vue-typescript': { runs: 'vue', shows: ['10 km are 6.2 miles'] },
}
