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
