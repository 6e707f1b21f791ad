/** A library that pages can use offline: one script at `/vendor/<name>.js`, loaded only by pages that ask for it. */
export interface Library {
  name: string
  /** What pages import, and the module that answers: a package's, or a file in `in-page/`. */
  modules?: Record<string, string>
  /** What its script build defines: the name, and `module#export`, or a module for all of its exports. */
  globals?: Record<string, string>
  /** A global object to which it adds its exports, as add-ons do. */
  extends?: string
  /** Libraries that must be there before it. */
  needs?: string[]
  /** A style sheet that it adds where its script is, fonts and images included. */
  styles?: string
}

const THREE_ADDONS = [
  'controls/ArcballControls',
  'controls/DragControls',
  'controls/FirstPersonControls',
  'controls/FlyControls',
  'controls/MapControls',
  'controls/OrbitControls',
  'controls/PointerLockControls',
  'controls/TrackballControls',
  'controls/TransformControls',
  'environments/RoomEnvironment',
  'geometries/ConvexGeometry',
  'geometries/ParametricGeometry',
  'geometries/RoundedBoxGeometry',
  'geometries/TextGeometry',
  'lights/RectAreaLightUniformsLib',
  'lines/Line2',
  'lines/LineGeometry',
  'lines/LineMaterial',
  'libs/lil-gui.module.min',
  'libs/stats.module',
  'loaders/DRACOLoader',
  'loaders/FBXLoader',
  'loaders/FontLoader',
  'loaders/GLTFLoader',
  'loaders/MTLLoader',
  'loaders/OBJLoader',
  'loaders/RGBELoader',
  'loaders/STLLoader',
  'loaders/SVGLoader',
  'math/ImprovedNoise',
  'math/MeshSurfaceSampler',
  'math/SimplexNoise',
  'objects/Lensflare',
  'objects/MarchingCubes',
  'objects/Reflector',
  'objects/Sky',
  'objects/Water',
  'postprocessing/AfterimagePass',
  'postprocessing/BokehPass',
  'postprocessing/EffectComposer',
  'postprocessing/FilmPass',
  'postprocessing/GlitchPass',
  'postprocessing/OutlinePass',
  'postprocessing/OutputPass',
  'postprocessing/RenderPass',
  'postprocessing/SMAAPass',
  'postprocessing/ShaderPass',
  'postprocessing/UnrealBloomPass',
  'renderers/CSS2DRenderer',
  'renderers/CSS3DRenderer',
  'shaders/CopyShader',
  'shaders/FXAAShader',
  'shaders/GammaCorrectionShader',
  'shaders/LuminosityHighPassShader',
  'shaders/RGBShiftShader',
  'shaders/VignetteShader',
  'utils/BufferGeometryUtils',
  'utils/SkeletonUtils',
].map((path) => `three/addons/${path}.js`)

const GSAP_PLUGINS = [
  'CSSRulePlugin',
  'CustomBounce',
  'CustomEase',
  'CustomWiggle',
  'Draggable',
  'DrawSVGPlugin',
  'EasePack',
  'Flip',
  'InertiaPlugin',
  'MorphSVGPlugin',
  'MotionPathPlugin',
  'Observer',
  'ScrambleTextPlugin',
  'ScrollSmoother',
  'ScrollToPlugin',
  'ScrollTrigger',
  'SplitText',
  'TextPlugin',
]

const SVELTE = [
  'svelte',
  'svelte/animate',
  'svelte/easing',
  'svelte/events',
  'svelte/internal/client',
  'svelte/internal/disclose-version',
  'svelte/internal/flags/legacy',
  'svelte/internal/flags/tracing',
  'svelte/legacy',
  'svelte/motion',
  'svelte/reactivity',
  'svelte/store',
  'svelte/transition',
]

const LIT = [
  'lit',
  'lit/decorators.js',
  'lit/directives/class-map.js',
  'lit/directives/if-defined.js',
  'lit/directives/live.js',
  'lit/directives/ref.js',
  'lit/directives/repeat.js',
  'lit/directives/style-map.js',
  'lit/directives/unsafe-html.js',
  'lit/directives/when.js',
  'lit/html.js',
]

const sameNames = (names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, name]))

/** All libraries beside those with globals of their own (`vendored-files.ts`). One that needs another comes after it. */
export const libraries: Library[] = [
  { name: 'three', modules: { three: '../in-page/libraries/three.ts' }, globals: { THREE: 'three' } },
  { name: 'three-addons', modules: sameNames(THREE_ADDONS), extends: 'THREE', needs: ['three'] },
  { name: 'd3', modules: { d3: 'd3' }, globals: { d3: 'd3' } },
  {
    name: 'chart',
    modules: { 'chart.js': '../in-page/libraries/chart.ts', 'chart.js/helpers': 'chart.js/helpers' },
    globals: { Chart: 'chart.js#Chart' },
  },
  {
    name: 'react-chartjs-2',
    modules: { 'react-chartjs-2': 'react-chartjs-2' },
    globals: { ReactChartjs2: 'react-chartjs-2' },
    needs: ['react', 'chart'],
  },
  { name: 'recharts', modules: { recharts: 'recharts' }, globals: { Recharts: 'recharts' }, needs: ['react'] },
  {
    name: 'framer-motion',
    modules: { 'framer-motion': 'framer-motion', motion: 'framer-motion/dom' },
    globals: { Motion: 'framer-motion', FramerMotion: 'framer-motion' },
    needs: ['react'],
  },
  {
    name: 'gsap',
    modules: { gsap: 'gsap', ...sameNames(GSAP_PLUGINS.map((plugin) => `gsap/${plugin}`)) },
    globals: {
      gsap: 'gsap#gsap',
      TweenMax: 'gsap#gsap',
      TweenLite: 'gsap#gsap',
      ...Object.fromEntries(
        GSAP_PLUGINS.filter((plugin) => plugin !== 'EasePack').map((plugin) => [plugin, `gsap/${plugin}#${plugin}`]),
      ),
    },
  },
  { name: 'p5', modules: { p5: '../in-page/libraries/p5.ts' }, globals: { p5: 'p5#default' } },
  {
    name: 'react-router',
    modules: { 'react-router-dom': '../in-page/libraries/react-router.ts' },
    globals: { ReactRouterDOM: 'react-router-dom', ReactRouter: 'react-router-dom' },
    needs: ['react'],
  },
  {
    name: 'zustand',
    modules: sameNames([
      'zustand',
      'zustand/middleware',
      'zustand/shallow',
      'zustand/react/shallow',
      'zustand/vanilla',
    ]),
    needs: ['react'],
  },
  { name: 'svelte', modules: sameNames(SVELTE) },
  { name: 'class-names', modules: sameNames(['class-variance-authority', 'clsx', 'tailwind-merge']) },
  { name: 'radix-ui', modules: { 'radix-ui': 'radix-ui' }, needs: ['react'] },
  {
    name: 'shadcn',
    modules: { shadcn: '../in-page/libraries/shadcn/index.ts' },
    needs: ['react', 'radix-ui', 'class-names'],
  },
  { name: 'alpine', modules: { alpinejs: 'alpinejs' }, globals: { Alpine: 'alpinejs#default' } },
  { name: 'jquery', modules: { jquery: 'jquery' }, globals: { $: 'jquery#default', jQuery: 'jquery#default' } },
  { name: 'bootstrap5', modules: { bootstrap: 'bootstrap' }, globals: { bootstrap: 'bootstrap' } },
  { name: 'bootstrap5-css', styles: 'bootstrap/dist/css/bootstrap.min.css' },
  { name: 'leaflet', modules: { leaflet: '../in-page/libraries/leaflet.ts' }, globals: { L: 'leaflet#default' } },
  { name: 'leaflet-css', styles: 'leaflet/dist/leaflet.css' },
  { name: 'matter', modules: { 'matter-js': 'matter-js' }, globals: { Matter: 'matter-js#default' } },
  { name: 'tone', modules: { tone: 'tone' }, globals: { Tone: 'tone' } },
  { name: 'lit', modules: sameNames(LIT) },
  {
    name: 'preact',
    modules: {
      ...sameNames(['preact', 'preact/hooks', 'preact/jsx-runtime', 'preact/compat']),
      htm: 'htm',
      'htm/preact': '../in-page/libraries/htm-preact.ts',
    },
    globals: { preact: 'preact', preactHooks: 'preact/hooks', htm: 'htm#default', htmPreact: 'htm/preact' },
  },
  { name: 'htm-react', modules: { 'htm/react': 'htm/react' }, globals: { htmReact: 'htm/react' }, needs: ['react'] },
  {
    name: 'styled-components',
    modules: { 'styled-components': 'styled-components' },
    globals: { styled: 'styled-components#default' },
    needs: ['react'],
  },
  {
    name: 'heroicons',
    modules: sameNames(['@heroicons/react/24/outline', '@heroicons/react/24/solid', '@heroicons/react/20/solid']),
    needs: ['react'],
  },
  { name: 'font-awesome', styles: '@fortawesome/fontawesome-free/css/all.min.css' },
  {
    name: 'vue-router',
    modules: { 'vue-router': '../in-page/libraries/vue-router.ts' },
    globals: { VueRouter: 'vue-router' },
    needs: ['vue'],
  },
  { name: 'zod', modules: { zod: 'zod' }, globals: { Zod: 'zod' } },
  {
    name: 'react-three-fiber',
    modules: { '@react-three/fiber': '@react-three/fiber', '@react-three/drei': '../in-page/libraries/drei.tsx' },
    needs: ['react', 'three', 'three-addons'],
  },
  {
    name: 'canvas-confetti',
    modules: { 'canvas-confetti': 'canvas-confetti' },
    globals: { confetti: 'canvas-confetti#default' },
  },
  { name: 'anime', modules: { animejs: 'animejs/lib/anime.es.js' }, globals: { anime: 'animejs#default' } },
  { name: 'lodash', modules: { lodash: 'lodash' }, globals: { _: 'lodash#default' } },
  {
    name: 'next',
    modules: {
      'next/link': '../in-page/libraries/next/link.tsx',
      'next/image': '../in-page/libraries/next/image.tsx',
      'next/navigation': '../in-page/libraries/next/navigation.ts',
      'next/head': '../in-page/libraries/next/nothing.ts',
      'next/dynamic': '../in-page/libraries/next/dynamic.tsx',
      'next/headers': '../in-page/libraries/next/headers.ts',
      'next-themes': '../in-page/libraries/next/themes.tsx',
    },
    needs: ['react'],
  },
  { name: 'dayjs', modules: { dayjs: 'dayjs' }, globals: { dayjs: 'dayjs#default' } },
]
