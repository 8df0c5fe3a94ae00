# vcpkg port of libisal and libisal_crypto.
# SPDX-License-Identifier: BSD-3-Clause
#
# The release archive lies beside this file.
vcpkg_extract_source_archive(SOURCE_PATH
  ARCHIVE "${CMAKE_CURRENT_LIST_DIR}/isa-l-${VERSION}.tar.gz")

set(options --disable-programs --disable-manual --without-openssl)
if(VCPKG_TARGET_ARCHITECTURE STREQUAL "x64")
  vcpkg_find_acquire_program(NASM)
  list(APPEND options "NASM=${NASM}")
else()
  list(APPEND options --disable-asm)
endif()

vcpkg_configure_make(SOURCE_PATH "${SOURCE_PATH}" OPTIONS ${options})
vcpkg_install_make()
vcpkg_cmake_config_fixup(PACKAGE_NAME isal CONFIG_PATH lib/cmake/isal
  DO_NOT_DELETE_PARENT_CONFIG_PATH)
vcpkg_cmake_config_fixup(PACKAGE_NAME isal_crypto CONFIG_PATH lib/cmake/isal_crypto)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share"
  "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
