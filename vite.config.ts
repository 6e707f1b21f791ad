import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const root = join(import.meta.dirname, 'src/components')

/** Builds the web app from src/components into dist/web: hashed files that the server sends. */
export default defineConfig({
  root,
  plugins: [react(), tailwind()],
  build: {
    outDir: join(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    // Inlined files would need a CSP that allows data: scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
