# Conan recipe of libisal and libisal_crypto: conan create packaging/conan
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds the release of which it is a part. The assembly needs nasm 2.15 or later in PATH.
import os
import re

from conan import ConanFile
from conan.tools.files import copy, load, rm, rmdir
from conan.tools.gnu import Autotools, AutotoolsToolchain
from conan.tools.layout import basic_layout


class IsalConan(ConanFile):
    name = "isa-l"
    description = "Storage acceleration: erasure codes, RAID, CRCs, DEFLATE, AES, hashes"
    license = "BSD-3-Clause"
    topics = ("erasure-coding", "crc", "compression", "encryption", "simd")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "asm": [True, False],
               "crypto": [True, False]}
    default_options = {"shared": False, "fPIC": True, "asm": True, "crypto": True}

    def _release(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._release(), "include", "isa-l", "isal_api.h"))
        self.version = re.search(r'#define ISAL_VERSION_STR\s+"(.*)"', header)[1]

    def export_sources(self):
        copy(self, "*", self._release(), self.export_sources_folder, excludes=("build/*", ".git/*"))

    def config_options(self):
        if self.settings.arch != "x86_64":
            del self.options.asm

    def configure(self):
        if self.options.shared:
            self.options.rm_safe("fPIC")
        self.settings.rm_safe("compiler.cppstd")
        self.settings.rm_safe("compiler.libcxx")

    def layout(self):
        basic_layout(self, src_folder=".")

    def generate(self):
        toolchain = AutotoolsToolchain(self)
        toolchain.configure_args += ["--disable-programs", "--disable-manual", "--without-openssl"]
        if not self.options.get_safe("asm"):
            toolchain.configure_args.append("--disable-asm")
        if not self.options.crypto:
            toolchain.configure_args.append("--without-crypto")
        toolchain.generate()

    def build(self):
        autotools = Autotools(self)
        autotools.configure()
        autotools.make()

    def package(self):
        Autotools(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        rm(self, "*.la", os.path.join(self.package_folder, "lib"))
        # Conan's generators write these.
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))
        rmdir(self, os.path.join(self.package_folder, "share"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "ISAL")
        for library in ["isal"] + (["isal_crypto"] if self.options.crypto else []):
            component = self.cpp_info.components[library]
            component.libs = [library]
            component.set_property("cmake_target_name", "ISAL::" + library)
            component.set_property("pkg_config_name", "lib" + library)
