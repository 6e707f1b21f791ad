/** Compilers without types of their own, as far as files here use them. */
declare module '@babel/core' {
  export function transformSync(
    code: string,
    options: {
      babelrc: boolean
      configFile: boolean
      presets: [preset: unknown, options: object][]
    },
  ): { code?: string | null } | null
}

declare module 'babel-preset-solid' {
  const preset: unknown
  export default preset
}
