import { clsx, type ClassValue } from 'clsx'
import { createElement, type ElementType, type ReactNode } from 'react'
import { twMerge } from 'tailwind-merge'

export function cn(...values: ClassValue[]): string {
  return twMerge(clsx(values))
}

export interface PartProps {
  className?: string | undefined
  children?: ReactNode
  [name: string]: unknown
}

/** A component that is one element or Radix part with shadcn's classes. */
export function part(type: ElementType, slot: string, classes: string, defaults: object = {}) {
  return ({ className, ...props }: PartProps): ReactNode =>
    createElement(type, { 'data-slot': slot, ...defaults, ...props, className: cn(classes, className) })
}

/** A Radix part without looks of its own. */
export function plain(type: ElementType, slot: string) {
  return (props: PartProps): ReactNode => createElement(type, { 'data-slot': slot, ...props })
}

function draw(path: string) {
  return ({ className = 'size-4' }: { className?: string }): ReactNode => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={className}
    >
      <path d={path} />
    </svg>
  )
}

export const CheckMark = draw('M20 6 9 17l-5-5')
export const ChevronDown = draw('m6 9 6 6 6-6')
export const ChevronLeft = draw('m15 18-6-6 6-6')
export const ChevronRight = draw('m9 18 6-6-6-6')
export const Cross = draw('M18 6 6 18M6 6l12 12')
export const Dots = draw('M5 12h.01M12 12h.01M19 12h.01')
export const Lens = draw('m21 21-4.3-4.3M19 11a8 8 0 1 1-16 0 8 8 0 0 1 16 0')
