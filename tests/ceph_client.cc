// Encodes and repairs stripes with Ceph's erasure-code plugin, as a storage daemon would.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: ceph_client PLUGIN    (a path, such as .../ceph/erasure-code/libec_isa.so)
//
// Prints a checksum of the parity of each code and fails if repaired chunks differ. Ceph installs
// no headers for plugins: the declarations here are the imports and exports of the plugin. The exit
// status is 77 if this plugin lacks one of them.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

extern "C" {
int rados_create(void **cluster, const char *id);
void *rados_cct(void *cluster);
}

namespace ceph
{
class ErasureCodePlugin;

// The plugin registers itself with the program's only registry.
class ErasureCodePluginRegistry
{
  public:
    int add(const std::string &name, ErasureCodePlugin *plugin);
    static ErasureCodePluginRegistry singleton;
    ErasureCodePlugin *plugin = nullptr;
};

ErasureCodePluginRegistry ErasureCodePluginRegistry::singleton;

int ErasureCodePluginRegistry::add(const std::string &, ErasureCodePlugin *added)
{
    plugin = added;
    return 0;
}

namespace global
{
extern void *g_ceph_context;
}
} // namespace ceph

namespace
{

using Profile = std::map<std::string, std::string>;
using Chunks = std::vector<std::vector<char>>;

struct Plugin {
    int (*init)(const char *name, const char *directory);
    int (*factory)(ceph::ErasureCodePlugin *, const std::string &directory, Profile &,
                   std::shared_ptr<void> *code, std::ostream *errors);
    void (*encode)(void *code, char **data, char **parity, int bytes);
    int (*decode)(void *code, int *erasures, char **data, char **parity, int bytes);
};

template <class Function> void find(void *library, const char *name, Function &function)
{
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (!function) {
        std::printf("SKIP: the plugin lacks %s\n", name);
        std::exit(77);
    }
}

Plugin load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    Plugin plugin;

    if (!library) {
        std::printf("%s\n", dlerror());
        std::exit(1);
    }
    find(library, "__erasure_code_init", plugin.init);
    find(library,
         "_ZN20ErasureCodePluginIsa7factoryERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
         "RSt3mapIS5_S5_St4lessIS5_ESaISt4pairIS6_S5_EEEPSt10shared_ptrIN4ceph20ErasureCode"
         "InterfaceEEPSo",
         plugin.factory);
    find(library, "_ZN21ErasureCodeIsaDefault10isa_encodeEPPcS1_i", plugin.encode);
    find(library, "_ZN21ErasureCodeIsaDefault10isa_decodeEPiPPcS2_i", plugin.decode);
    return plugin;
}

std::uint32_t checksum(const Chunks &chunks, int begin, std::uint32_t sum)
{
    for (std::size_t i = begin; i < chunks.size(); i++)
        for (char byte : chunks[i])
            sum = (sum ^ static_cast<unsigned char>(byte)) * 16777619u; // FNV-1a
    return sum;
}

std::vector<char *> pointers(Chunks &chunks)
{
    std::vector<char *> result;

    for (auto &chunk : chunks)
        result.push_back(chunk.data());
    return result;
}

// Stripes of several sizes with k data chunks and m of parity; each time other chunks are lost.
// Returns the number of stripes that were not repaired.
int check_code(const Plugin &plugin, const std::string &technique, int k, int m)
{
    Profile profile{{"technique", technique}, {"k", std::to_string(k)}, {"m", std::to_string(m)}};
    std::shared_ptr<void> code;
    std::mt19937 random(k * 100 + m);
    std::uint32_t sum = 2166136261u;
    int bad = 0, stripes = 0;

    if (plugin.factory(ceph::ErasureCodePluginRegistry::singleton.plugin, "", profile, &code,
                       &std::cout) != 0) {
        std::printf("%s %d+%d: the plugin refuses the profile\n", technique.c_str(), k, m);
        return 1;
    }
    for (int bytes : {32, 4096, 65536})
        for (int trial = 0; trial < 20; trial++, stripes++) {
            Chunks chunks(k + m, std::vector<char>(bytes)), damaged;
            std::vector<int> lost;

            for (int i = 0; i < k; i++)
                for (char &byte : chunks[i])
                    byte = static_cast<char>(random());
            auto all = pointers(chunks);
            plugin.encode(code.get(), all.data(), all.data() + k, bytes);
            sum = checksum(chunks, k, sum);

            damaged = chunks;
            for (int i = 0; i < k + m; i++)
                if (static_cast<int>(lost.size()) < m && random() % 2)
                    lost.push_back(i);
            for (int i : lost)
                std::memset(damaged[i].data(), 0x5a, bytes);
            lost.push_back(-1);
            all = pointers(damaged);
            bad += lost.size() > 1 &&
                   (plugin.decode(code.get(), lost.data(), all.data(), all.data() + k, bytes) ||
                    damaged != chunks);
        }
    std::printf("%s %d+%d: parity %08x, %d of %d stripes repaired\n", technique.c_str(), k, m, sum,
                stripes - bad, stripes);
    return bad;
}

} // namespace

int main(int, char **argv)
{
    static const int shapes[][2] = {{2, 1}, {3, 2}, {4, 2}, {4, 3}, {8, 3}, {10, 4}, {20, 4}};
    Plugin plugin = load(argv[1]);
    void *cluster;
    int bad = 0;

    if (rados_create(&cluster, nullptr) || plugin.init("isa", ""))
        return 1;
    ceph::global::g_ceph_context = rados_cct(cluster);
    for (const char *technique : {"reed_sol_van", "cauchy"})
        for (const auto &shape : shapes)
            bad += check_code(plugin, technique, shape[0], shape[1]);
    return bad != 0;
}
