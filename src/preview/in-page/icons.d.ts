/** Made by `build-vendor.ts` from the package lucide-react. A node that is a text is the `d` of a path. */
declare module 'virtual:lucide-icons' {
  export const icons: Record<string, (string | [tag: string, attributes: Record<string, string>])[]>
  /** Every other name, lower case without dashes, and the icon it means. */
  export const aliases: Record<string, string>
}
