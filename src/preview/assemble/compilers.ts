interface Compilers {
  solid(): Promise<(code: string) => string>
  sass(): Promise<typeof import('sass')>
  sucrase(): Promise<typeof import('sucrase')>
  svelte(): Promise<typeof import('svelte/compiler')>
  tailwind(): Promise<typeof import('tailwindcss')>
  vue(): Promise<typeof import('vue/compiler-sfc')>
}

/**
 * The compilers of pages, each loaded on first use. They are 8 MB, which not everyone needs: the build puts this file
 * into the package benchmaker-previews and has the page thread load it from there (`tools/embedded-modules.ts`).
 */
export const compilers: Compilers = {
  async solid() {
    const { transformSync } = await import('@babel/core')
    const { default: preset } = await import('babel-preset-solid')
    return (code) =>
      transformSync(code, { babelrc: false, configFile: false, presets: [[preset, { generate: 'dom' }]] })?.code ?? ''
  },
  sass: () => import('sass'),
  sucrase: () => import('sucrase'),
  svelte: () => import('svelte/compiler'),
  tailwind: () => import('tailwindcss'),
  vue: () => import('vue/compiler-sfc'),
}
