/* Loops that measure the rates of ports, the latencies of chains and the bandwidth of memory.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef PERF_PROBES_H
#define PERF_PROBES_H

#include "harness.h"

#define PROBE_LENGTH 24 /* instructions an iteration, as in probe.asm */

/* n iterations; for memory: over the n bytes at p. */
typedef void probe_fn(void *p, size_t n);

enum probe_memory { MEMORY_READ, MEMORY_READ8, MEMORY_WRITE, MEMORY_STREAM, MEMORY_COUNT };

/* Each returns NULL where this CPU cannot run the probe. */
probe_fn *port_probe(enum perf_port port, unsigned width);
probe_fn *chain_probe(enum perf_chain chain);
probe_fn *memory_probe(enum probe_memory kind);

#endif
