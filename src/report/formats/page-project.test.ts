import { describe, expect, it } from 'vitest'
import { writePageProject, type PageCode } from './page-project.ts'

const project = (page: Partial<PageCode>) =>
  new Map(
    writePageProject({
      title: 'Page A',
      files: [],
      kind: 'html',
      entry: 'index.html',
      usesTailwind: false,
      ...page,
    }).map(({ name, text }) => [name, text]),
  )

describe('a page as a project', () => {
  it('of plain files is those files', () => {
    const files = project({
      files: [
        { name: 'index.html', code: '<p>x</p>' },
        { name: 'style.css', code: 'p {}' },
      ],
    })
    expect([...files.keys()]).toEqual(['index.html', 'style.css', 'open-in-stackblitz.html'])
    expect(files.get('index.html')).toBe('<p>x</p>')
  })

  it('of a component builds with the packages that it names', () => {
    const code =
      "import { motion } from 'framer-motion'\nimport X from '@scope/pkg/deep'\nimport Y from './Y'\nexport default () => <p />"
    const files = project({
      kind: 'react',
      entry: 'src/App.tsx',
      usesTailwind: true,
      files: [{ name: 'src/App.tsx', code }],
    })
    expect(JSON.parse(files.get('package.json')!)).toMatchObject({
      dependencies: { '@scope/pkg': 'latest', 'framer-motion': 'latest', react: 'latest', 'react-dom': 'latest' },
      devDependencies: { '@vitejs/plugin-react': 'latest', vite: 'latest' },
    })
    expect(JSON.parse(files.get('package.json')!).dependencies).not.toHaveProperty('./Y')
    expect(files.get('benchmaker-start.jsx')).toContain("import Page from './src/App.tsx'")
    expect(files.get('index.html')).toMatch(/@tailwindcss\/browser[\s\S]*src="\/benchmaker-start\.jsx"/)
  })

  it('keeps what the answer says about its build', () => {
    const files = project({
      kind: 'vue',
      entry: 'src/main.js',
      files: [
        { name: 'package.json', code: '{"name":"own"}' },
        { name: 'index.html', code: '<div id="app"></div><script type="module" src="/src/main.js"></script>' },
        { name: 'src/main.js', code: "createApp(App).mount('#app')" },
      ],
    })
    expect(files.get('package.json')).toBe('{"name":"own"}')
    expect([...files.keys()]).toEqual([
      'package.json',
      'index.html',
      'src/main.js',
      'vite.config.js',
      'open-in-stackblitz.html',
    ])
  })

  it('never leads out of its folder, and no code leaves its field of the form', () => {
    const files = project({
      files: [
        { name: '../../evil.js', code: '</textarea><script>1</script>' },
        { name: 'index.html', code: '' },
      ],
    })
    expect(files.has('evil.js')).toBe(true)
    expect(files.get('open-in-stackblitz.html')).toContain('name="project[files][evil.js]">\n&lt;/textarea>&lt;script>')
  })
})
