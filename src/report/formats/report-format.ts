import type { Report } from '../model/report.ts'

/** A file format for reports. Menus, help texts, media types and extensions come from it. */
export interface ReportFormat {
  /** Used in options and addresses: `markdown`. The extension without its dot works too. */
  name: string
  /** Shown in menus: `JUnit XML`. */
  label: string
  /** `.md` */
  extension: string
  mediaType: string
  write(report: Report): string | Iterable<string>
  /** Of a format that is bytes, or that has one file for each model. It is written to files only. */
  writeFiles?(report: Report): ReportFile[]
}

export interface ReportFile {
  /** The model it is about; absent if it is about all. */
  of?: string
  bytes: Uint8Array
}
