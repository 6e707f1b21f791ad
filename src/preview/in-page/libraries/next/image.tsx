import { createElement, type CSSProperties, type ReactNode } from 'react'

interface ImageProps {
  src?: string | { src: string }
  fill?: boolean
  style?: CSSProperties
  [name: string]: unknown
}

const FILLING: CSSProperties = { position: 'absolute', inset: 0, width: '100%', height: '100%' }

export default function Image({
  src,
  fill,
  style,
  priority: _priority,
  quality: _quality,
  placeholder: _placeholder,
  blurDataURL: _blur,
  loader: _loader,
  unoptimized: _unoptimized,
  ...props
}: ImageProps): ReactNode {
  return createElement('img', {
    src: typeof src === 'object' ? src.src : src,
    style: fill ? { ...FILLING, ...style } : style,
    ...props,
  })
}
