/* FZ_API marks the functions that libfrenzy exports; everything else is hidden. */
#ifndef FRENZY_EXPORT_H
#define FRENZY_EXPORT_H

#if defined(__GNUC__)
#define FZ_API __attribute__((visibility("default")))
#else
#define FZ_API
#endif

#endif
